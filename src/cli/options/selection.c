#include "cli/options/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/trial.h"
#include "base/translation.h"
#include "choice/choose_rung.h"
#include "cli/options/outcome.h"

#define RUNGS_MOST 64

static enum status add_name(const char **names, size_t *count, const char *name, const char *refusal,
                            struct error *error)
{
    if (*count == SELECTION_MAX)
        return fail(error, STATUS_INVALID, refusal, SELECTION_MAX);
    names[(*count)++] = name;
    return STATUS_OK;
}

enum status selection_add_device(struct selection *selection, const char *name, struct error *error)
{
    return add_name(selection->device_names, &selection->device_name_count, name, N_("more than %d devices"), error);
}

enum status selection_add_rung(struct selection *selection, const char *name, struct error *error)
{
    if (strcmp(name, SELECTION_CHOICE) == 0) {
        selection->wants_choice = true;
        return STATUS_OK;
    }
    return add_name(selection->rung_names, &selection->rung_name_count, name, N_("more than %d rungs"), error);
}

enum status selection_set_filter(struct selection *selection, const char *text, struct error *error)
{
    if (selection->filters)
        regfree(&selection->filter);
    int code = regcomp(&selection->filter, text, REG_EXTENDED | REG_NOSUB);
    selection->filters = code == 0;
    if (selection->filters)
        return STATUS_OK;
    char why[128];
    regerror(code, &selection->filter, why, sizeof why);
    return fail(error, STATUS_INVALID, "--filter: '%s' is not a regular expression: %s", text, why);
}

static bool is_open(const struct selection *selection, const struct device *device)
{
    for (size_t d = 0; d < selection->device_count; d++)
        if (strcmp(selection->devices[d]->id, device->id) == 0)
            return true;
    return false;
}

static enum status open_named(struct selection *selection, const char *name, struct error *error)
{
    if (selection->device_count == SELECTION_MAX)
        return fail(error, STATUS_INVALID, "more than %d devices", SELECTION_MAX);
    struct device *device;
    enum status status = device_open(name, &device, error);
    if (status != STATUS_OK)
        return status;
    /* By the device's own id: "opencl" and "opencl:0" are one device, which is not measured twice. */
    if (is_open(selection, device))
        device_close(device);
    else
        selection->devices[selection->device_count++] = device;
    return STATUS_OK;
}

/* Names an installed driver that a fault excludes, so it does not look absent. */
static void tell_faults(const struct backend *backend)
{
    struct error line;
    char text[512];
    backend_describe_faults(backend, text, sizeof text);
    if (text[0])
        report_error(STATUS_UNAVAILABLE,
                     (fail(&line, STATUS_UNAVAILABLE, "%s is left out: %s", backend->name, text), &line));
}

/* A further OpenCL device on the same CPU repeats the first: its name says how it is measured. */
static void leave_out_if_repeated(struct selection *selection)
{
    struct device *last = selection->devices[selection->device_count - 1];
    bool is_repeated = false;
    for (size_t d = 0; d + 1 < selection->device_count; d++)
        is_repeated = is_repeated || device_rehearses(selection->devices[d]);
    if (!is_repeated || !device_rehearses(last))
        return;
    fprintf(stderr, tr("uskor: %s is left out, another OpenCL on the same CPU (%s); --device %s measures it\n"),
            last->id, last->properties.driver[0] ? last->properties.driver : last->properties.version, last->id);
    device_close(last);
    selection->device_count--;
}

/* A device that does not open is left out with a message; `uskor devices` has the details. */
static void open_every(struct selection *selection)
{
    for (size_t b = 0; backends[b]; b++) {
        int count = 0;
        struct error why, left_out;
        if (backends[b]->kind & (BACKEND_NULL | BACKEND_OPENGL))
            continue;
        enum status probed = backend_probe(backends[b], &count, &why);
        tell_faults(backends[b]);
        if (probed != STATUS_OK)
            continue;
        for (int i = 0; i < count; i++) {
            char name[32];
            snprintf(name, sizeof name, backends[b]->kind == BACKEND_CPU ? "%s" : "%s:%d", backends[b]->name, i);
            enum status status = open_named(selection, name, &why);
            if (status != STATUS_OK) {
                fail(&left_out, status, "%s is left out: %s", name, why.text);
                report_error(status, &left_out);
            } else if (selection->rehearses_once) {
                leave_out_if_repeated(selection);
            }
        }
    }
}

enum status selection_open(struct selection *selection, struct error *error)
{
    enum status status = STATUS_OK;
    if (!selection->device_name_count)
        open_every(selection);
    for (size_t i = 0; status == STATUS_OK && i < selection->device_name_count; i++)
        status = open_named(selection, selection->device_names[i], error);
    if (status == STATUS_OK && !selection->device_count)
        status = fail(error, STATUS_UNAVAILABLE, "no device could be opened; 'uskor devices' says why");
    return status;
}

void selection_close(struct selection *selection)
{
    while (selection->device_count > 0)
        device_close(selection->devices[--selection->device_count]);
    if (selection->filters)
        regfree(&selection->filter);
    selection->filters = false;
}

enum status selection_rungs(const struct selection *selection, const struct kernel *kernel, const struct rung *rungs[],
                            size_t most, size_t *count, struct error *error)
{
    const struct rung *const *all;
    size_t all_count;
    *count = 0;
    enum status status = kernel_rungs(kernel, &all, &all_count, error);
    for (size_t i = 0; status == STATUS_OK && i < selection->rung_name_count; i++)
        if (!rung_by_name(kernel, selection->rung_names[i], error))
            status = STATUS_INVALID;
    for (size_t i = 0; status == STATUS_OK && i < all_count; i++) {
        bool chosen = selection->rung_name_count == 0 && !selection->wants_choice;
        for (size_t n = 0; n < selection->rung_name_count; n++)
            chosen = chosen || rung_by_name(kernel, selection->rung_names[n], NULL) == all[i];
        chosen = chosen && (!selection->filters || regexec(&selection->filter, all[i]->name, 0, NULL, 0) == 0);
        if (chosen && *count < most)
            rungs[(*count)++] = all[i];
    }
    if (status == STATUS_OK && selection->filters && !*count)
        status = fail(error, STATUS_INVALID, "no rung of %s has a name that --filter matches; 'uskor list %s' has them",
                      kernel->name, kernel->name);
    if (status == STATUS_OK)
        status = overrides_check(&selection->overrides, rungs, *count, error);
    return status;
}

enum status selection_fits(const struct selection *selection, const struct kernel *kernel, struct error *error)
{
    const struct rung *rungs[RUNGS_MOST];
    size_t count;
    return selection_rungs(selection, kernel, rungs, RUNGS_MOST, &count, error);
}

bool selection_belongs(const struct selection *selection, const struct rung *rung, const struct device *device)
{
    if (device_is_null(device))
        return rung->kind == RUNG_DEVICE;
    return (rung->backends & device->backend->kind) != 0 ||
           (selection->rung_name_count && selection->device_name_count);
}

/* Adds the rung that serves the problem there (choose_rung), with its parameters, where the user wants it and it is not
 * listed yet. What the user sets (--set) goes before the choice's parameters. */
static enum status add_choice(const struct selection *selection, const struct problem *problem, struct device *device,
                              struct candidate *list, size_t *made, struct error *error)
{
    struct rung_choice choice;
    if (!selection->wants_choice || choose_rung(problem, device, NULL, &choice, NULL) != STATUS_OK)
        return STATUS_OK;
    struct candidate candidate;
    enum status status = candidate_make(device, choice.rung, problem, &selection->overrides, &candidate, error);
    if (status == STATUS_OK && selection->overrides.count == 0)
        candidate.parameters = choice.parameters;
    for (size_t i = 0; status == STATUS_OK && i < *made; i++)
        if (list[i].device == device && list[i].rung == choice.rung &&
            memcmp(&list[i].parameters, &candidate.parameters, sizeof candidate.parameters) == 0)
            return STATUS_OK;
    if (status == STATUS_OK)
        list[(*made)++] = candidate;
    return status;
}

enum status selection_candidates(const struct selection *selection, const struct problem *problem,
                                 struct candidate **candidates, size_t *count, struct error *error)
{
    const struct rung *rungs[RUNGS_MOST];
    size_t rung_count;
    enum status status = selection_rungs(selection, problem->kernel, rungs, RUNGS_MOST, &rung_count, error);
    if (status != STATUS_OK)
        return status;
    struct candidate *list = calloc((rung_count + 1) * selection->device_count + 1, sizeof *list);
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", rung_count);
    size_t made = 0;
    for (size_t d = 0; d < selection->device_count; d++) {
        for (size_t r = 0; status == STATUS_OK && r < rung_count; r++)
            if (selection_belongs(selection, rungs[r], selection->devices[d]))
                status = candidate_make(selection->devices[d], rungs[r], problem, &selection->overrides, &list[made++],
                                        error);
        if (status == STATUS_OK)
            status = add_choice(selection, problem, selection->devices[d], list, &made, error);
    }
    if (status == STATUS_OK && made == 0)
        status = fail(error, STATUS_UNAVAILABLE, "no rung of %s runs on the chosen devices", problem->kernel->name);
    if (status != STATUS_OK) {
        free(list);
        return status;
    }
    *candidates = list;
    *count = made;
    return STATUS_OK;
}

bool device_rehearses(const struct device *device)
{
    return device->properties.is_cpu && device->backend->kind != BACKEND_CPU && !device_is_null(device);
}

static void refuse_unless(enum status status, const struct error *error, const struct options_state *state)
{
    if (status != STATUS_OK)
        refuse_use(state, "%s", error->text);
}

void selection_read_device(void *selection, const char *argument, const struct options_state *state)
{
    struct error error;
    refuse_unless(selection_add_device(selection, argument, &error), &error, state);
}

void selection_read_rung(void *selection, const char *argument, const struct options_state *state)
{
    struct error error;
    refuse_unless(selection_add_rung(selection, argument, &error), &error, state);
}

void selection_read_filter(void *selection, const char *argument, const struct options_state *state)
{
    struct error error;
    refuse_unless(selection_set_filter(selection, argument, &error), &error, state);
}

void selection_read_set(void *selection, const char *argument, const struct options_state *state)
{
    struct error error;
    refuse_unless(overrides_add(&((struct selection *)selection)->overrides, argument, &error), &error, state);
}

/* uskor tuned: the rung that would run a problem. */
#include <jansson.h>
#include <stdio.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "choice/choose_rung.h"
#include "choice/whole_time.h"
#include "cli/command.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "lab/bench/candidate.h"
#include "report/export/json.h"

#define RUNGS_SHOWN 32

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    json_t *array;                /* with --json */
    size_t found, other_drivers;
    const struct tuned_entry *of_other_driver; /* the first; NULL: none */
};

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!arguments->session.target_count)
        refuse_use(state, "which problem? For example: uskor tuned matmul:1000x1000x1000");
}

static const struct usage usage = {
    .check = check_usage,
    .args_doc = N_("PROBLEM…"),
    .doc =
        N_("Show which rung the library, the command line and the BLAS would run for a problem, with its parameters, "
           "on each device."),
    .shared = &measuring_choice,
};

/* What is known beside the choice: the chosen rung's prediction, and that of the next best. */
struct known {
    struct prediction all[RUNGS_SHOWN];
    const struct prediction *chosen, *next; /* NULL: not known */
    struct whole_time whole;                /* of a device with memory of its own; 0: not known */
};

static void look_up(const struct problem *problem, const struct device *device, const struct rung *chosen,
                    struct known *known)
{
    const size_t count = choose_predictions(problem, device, known->all, RUNGS_SHOWN);
    for (size_t i = 0; i < count; i++)
        if (known->all[i].rung == chosen)
            known->chosen = &known->all[i];
        else if (!known->next)
            known->next = &known->all[i];
    struct transfers transfers;
    if (device->backend->kind == BACKEND_CPU || !transfers_of(device, &transfers) ||
        !whole_time_expect(problem, device, &transfers, &known->whole))
        known->whole = (struct whole_time){.opening = 0};
}

static void write_json(json_t *array, const char *problem, const struct device *device, const char *rung,
                       const char *parameters, const char *reason, const struct known *known)
{
    char from[PROBLEM_TEXT_MAX] = "";
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "problem", problem, "device", device->id,
                               "device_name", device->properties.name, "kind", tuned_kind_name(tuned_kind_of(device)),
                               "rung", rung, "parameters", parameters, "reason", reason);
    if (known->chosen) {
        json_object_set_new(object, "expected_ns", json_real(known->chosen->nanoseconds));
        json_object_set_new(object, "from", json_string(problem_text(&known->chosen->from->problem, from)));
        json_object_set_new(object, "file", json_string(known->chosen->from->file));
    }
    if (known->whole.compute > 0) {
        json_object_set_new(object, "opening_ns", json_real(known->whole.opening));
        json_object_set_new(object, "copies_ns", json_real(known->whole.copies));
    }
    if (known->next) {
        json_object_set_new(object, "next", json_string(known->next->rung->name));
        json_object_set_new(object, "next_ns", json_real(known->next->nanoseconds));
    }
    json_array_append_new(array, object);
}

static void write_text(FILE *stream, const struct device *device, const char *rung, const char *parameters,
                       const struct known *known)
{
    char time[32], from[PROBLEM_TEXT_MAX];
    fprintf(stream, "  %-10s %s%s%s\n", device->id, rung, *parameters ? "  " : "", parameters);
    if (known->chosen) {
        text_duration(known->chosen->nanoseconds, time, sizeof time);
        fprintf(stream, tr("%13sexpected: %s, from %s (%s)\n"), "", say_quantity(time, sizeof time),
                problem_text(&known->chosen->from->problem, from), known->chosen->from->file);
    } else {
        fprintf(stream, tr("%13sby the kernel's own rule, or the ladder's last: not measured on such a device\n"), "");
    }
    if (known->whole.compute > 0) {
        char copies[32];
        text_duration(known->whole.opening, time, sizeof time);
        text_duration(known->whole.copies, copies, sizeof copies);
        fprintf(stream, tr("%13sand to open the device: %s; copies: %s\n"), "", say_quantity(time, sizeof time),
                say_quantity(copies, sizeof copies));
    }
    if (known->next) {
        text_duration(known->next->nanoseconds, time, sizeof time);
        fprintf(stream, tr("%13snext: %s, %s\n"), "", known->next->rung->name, say_quantity(time, sizeof time));
    }
}

/* One device's lines or object; `choice` is NULL, and `why` says so, where no rung runs. */
static void write_choice(struct arguments *arguments, const struct problem *problem, const struct device *device,
                         const struct rung_choice *choice, const struct error *why)
{
    char parameters[128] = "", text[PROBLEM_TEXT_MAX];
    FILE *stream = arguments->session.result.stream;
    struct known known = {.chosen = NULL};
    const char *rung = choice ? choice->rung->name : "";
    if (choice) {
        const struct candidate candidate = {.rung = choice->rung, .parameters = choice->parameters};
        candidate_parameters(&candidate, parameters, sizeof parameters);
        look_up(problem, device, choice->rung, &known);
    }
    if (arguments->array)
        write_json(arguments->array, problem_text(problem, text), device, rung, parameters, choice ? "" : why->text,
                   &known);
    else if (choice)
        write_text(stream, device, rung, parameters, &known);
    else
        fprintf(stream, "  %-10s %s\n", device->id, say_message(why->text));
}

/* Lines of this device with another driver, of the problem's kernel. */
static void count_other_drivers(struct arguments *arguments, const struct kernel *kernel, const struct device *device)
{
    const struct tuned_entries entries = tuned_entries(kernel, tuned_kind_of(device));
    for (size_t i = 0; i < entries.count; i++)
        if (tuned_has_other_driver(&entries.items[i], device) && arguments->other_drivers++ == 0)
            arguments->of_other_driver = &entries.items[i];
}

static void warn_of_stale(const struct arguments *arguments)
{
    const struct tuned_entry *first = arguments->of_other_driver;
    size_t count;
    const char *stale = tuned_stale(&count);
    if (*tuned_complaint())
        report_warning("warning: %s; such lines are left out", tuned_complaint());
    if (count > 0)
        report_warning("warning: %s (%zu such lines); such times are left out: 'uskor tune' measures again", stale,
                       count);
    if (first)
        report_warning("warning: %s: measured with the driver '%s' (%zu such lines); such lines are left out: 'uskor "
                       "tune' measures again",
                       first->file, first->driver, arguments->other_drivers);
}

static enum status choose(struct bench_session *session, const struct problem *problem, struct error *error)
{
    struct arguments *arguments = (struct arguments *)session;
    char text[PROBLEM_TEXT_MAX];
    if (!arguments->array)
        fprintf(session->result.stream, "%s\n", problem_text(problem, text));
    for (size_t d = 0; d < session->selection.device_count; d++) {
        struct rung_choice choice;
        const struct device *device = session->selection.devices[d];
        count_other_drivers(arguments, problem->kernel, device);
        enum status status = choose_rung(problem, device, NULL, &choice, error);
        if (status != STATUS_OK && status != STATUS_UNAVAILABLE)
            return status;
        arguments->found += status == STATUS_OK;
        write_choice(arguments, problem, device, status == STATUS_OK ? &choice : NULL, error);
    }
    return STATUS_OK;
}

static enum status finish(struct arguments *arguments, enum status status, struct error *error)
{
    FILE *stream = arguments->session.result.stream;
    if (status == STATUS_OK && arguments->array &&
        !report_json_write(stream, "uskor.tuned/1", json_incref(arguments->array)))
        status =
            fail(error, STATUS_SYSTEM, "%s: cannot write: %s", arguments->session.result.name, result_reason(stream));
    status = result_close(&arguments->session.result, status, error);
    if (status == STATUS_OK && arguments->found == 0)
        return fail(error, STATUS_UNAVAILABLE, "no rung runs these problems on the chosen devices");
    return status;
}

int cmd_tuned(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->targets_most = TARGETS_MOST;
    session->keeps_nothing = session->judges_nothing = true;
    session->store_name = "none";
    options_parse(&usage, argc, argv, &arguments);
    arguments.array = session->form == FORM_JSON ? json_array() : NULL;
    enum status status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = bench_session_each_problem(session, choose, &error);
    if (status == STATUS_OK)
        warn_of_stale(&arguments);
    if (status == STATUS_OK)
        status = finish(&arguments, status, &error);
    json_decref(arguments.array);
    return bench_session_end(session, status, &error, NULL);
}

/* uskor roofline: the kept ceilings as lines, everything measured as points. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "cli/ceilings.h"
#include "cli/command.h"
#include "cli/known.h"
#include "cli/options.h"
#include "report/terminal_roofline.h"

struct arguments {
    struct measuring measuring; /* first: where that is at hand, so is this */
    struct roof_chart charts[SELECTION_MAX];
    const struct measurement *ceilings[SELECTION_MAX][CEILING_KINDS];
};

static const struct argp argp = {
    .parser = options_hand_down,
    .args_doc = N_("[KERNEL]"),
    .doc = N_(
        "Show the roofline of each device: its ceilings (measured briefly when none are kept) and, of every rung that "
        "was measured here (on a CPU with as many threads), operations for each byte and operations in a second. "
        "Nothing else is measured."),
    .children = measuring_what_is_kept,
};

/* Ceilings and rungs are of as many threads as this run has: one thread cannot come near what two can do. */
static unsigned threads_of(const struct device *device)
{
    return device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
}

static void fill_ceilings(struct arguments *arguments, size_t d)
{
    const struct measuring *measuring = &arguments->measuring;
    const struct device *device = measuring->selection.devices[d];
    struct roof_chart *chart = &arguments->charts[d];
    chart->ceilings = arguments->ceilings[d];
    for (int kind = 0; kind < CEILING_KINDS; kind++) {
        const struct measurement *found =
            ceiling_find(&measuring->ceilings, device->id, device->properties.name, device->properties.driver,
                         threads_of(device), (enum ceiling_kind)kind);
        if (found)
            arguments->ceilings[d][chart->ceiling_count++] = found;
    }
}

static enum status fill_chart(struct arguments *arguments, size_t d, struct error *error)
{
    const struct measuring *measuring = &arguments->measuring;
    const struct device *device = measuring->selection.devices[d];
    struct roof_chart *chart = &arguments->charts[d];
    fill_ceilings(arguments, d);
    chart->marks = calloc(measuring->list.count + 1, sizeof *chart->marks);
    if (!chart->marks)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu measurements", measuring->list.count);
    for (size_t i = 0; i < measuring->list.count; i++) {
        const struct measurement *measurement = &measuring->list.items[i];
        bool ours = strcmp(measurement->device, device->id) == 0 && measurement->threads == threads_of(device) &&
                    strcmp(measurement->device_name, device->properties.name) == 0 && !measurement->cold &&
                    strcmp(measurement->kernel, CEILING_KERNEL) != 0;
        for (size_t r = 0; ours && r < measuring->selection.rung_name_count; r++)
            ours = strcmp(measuring->selection.rung_names[r], measurement->rung) == 0;
        if (ours && roof_mark_make(chart, &measuring->list, measurement, &chart->marks[chart->mark_count]))
            chart->mark_count++;
    }
    return STATUS_OK;
}

/* Rungs are shown, not run: the store may have some of another version of this program. */
static enum status know_rungs(const struct measuring *measuring, const char *kernel, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t r = 0; status == STATUS_OK && r < measuring->selection.rung_name_count; r++) {
        struct store_filter one = {.kernel = kernel, .rung = measuring->selection.rung_names[r]};
        status = known_choice(measuring->store, &one, error);
    }
    return status;
}

/* What the store has of this machine; nothing where there is no store. */
static enum status read_points(struct arguments *arguments, struct error *error)
{
    struct measuring *measuring = &arguments->measuring;
    struct store_filter filter = {.kernel = measuring->targets[0]}; /* none: every kernel */
    if (filter.kernel && !kernel_by_name(filter.kernel, error))
        return STATUS_INVALID;
    enum status status = know_rungs(measuring, filter.kernel, error);
    if (status != STATUS_OK || !measuring->store)
        return status;
    status = store_this_machine(measuring->store, &filter.machine, error);
    return status == STATUS_OK ? store_measurements(measuring->store, &filter, &measuring->list, error) : status;
}

static const struct roof_chart *charts_of(const struct measuring *measuring)
{
    return ((const struct arguments *)measuring)->charts;
}

static void print(FILE *stream, const struct measuring *measuring, struct style style)
{
    for (size_t d = 0; d < measuring->selection.device_count; d++)
        report_roofline(stream, &charts_of(measuring)[d], style);
}

static bool write_json(FILE *stream, const struct measuring *measuring)
{
    return report_roofline_json(stream, charts_of(measuring), measuring->selection.device_count);
}

static bool write_csv(FILE *stream, const struct measuring *measuring)
{
    return report_roofline_csv(stream, charts_of(measuring), measuring->selection.device_count);
}

int cmd_roofline(int argc, char **argv)
{
    static struct arguments arguments;
    struct measuring *measuring = &arguments.measuring;
    struct error error;
    measuring_init(measuring);
    measuring->targets_most = 1;
    measuring->too_many = N_("one kernel at a time");
    measuring->write_json = write_json;
    measuring->write_csv = write_csv;
    options_parse(&argp, argc, argv, &arguments);
    enum status status = measuring_start(measuring, &error);
    if (status == STATUS_OK)
        status = read_points(&arguments, &error);
    if (status == STATUS_OK)
        status = ceilings_ensure(measuring, &error);
    for (size_t d = 0; status == STATUS_OK && d < measuring->selection.device_count; d++)
        status = fill_chart(&arguments, d, &error);
    if (status == STATUS_OK)
        status = measuring_write(measuring, print, &error);
    for (size_t d = 0; d < measuring->selection.device_count; d++)
        free(arguments.charts[d].marks);
    measurement_list_free(&measuring->list); /* read from the store, not measured: no verdict of this command's */
    int code = measuring_end(measuring, status, &error, NULL);
    return status == STATUS_OK ? EXIT_DONE : code;
}

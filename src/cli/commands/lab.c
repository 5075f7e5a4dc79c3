/* uskor lab: everything on this machine: devices, every ladder, the group-shape sweep, and the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/trial.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/bandwidths.h"
#include "cli/commands/ceiling_selection.h"
#include "cli/commands/lab_series.h"
#include "cli/commands/report_file.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/time_needed.h"
#include "report/terminal/folded.h"
#include "report/terminal/summary.h"

#define BANDWIDTH_SECONDS 20.0 /* that a device's is estimated to take */

struct arguments {
    struct bench_session session;
    bool full;
    const char *report; /* NULL: the default's name; "none" */
};

static void read_full(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    (void)argument, (void)state;
    arguments->full = true;
    arguments->session.options.seconds = 3;
}

static const struct option options[] = {
    {"quick", 0, NULL,
     N_("Two and a half minutes on two cores: a fifth of a second on the clock for each rung (the default)"),
     .effect = OPTION_WITHOUT_EFFECT},
    {"full", 0, NULL, N_("Three seconds for each rung; every OpenCL on a CPU, its libraries and group shapes, too"),
     READ_BY(read_full)},
    {"report", 0, N_("FILE|none"), N_("Where the report goes (default: uskor-report.html); a report there is replaced"),
     SETS_TEXT(struct arguments, report)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .doc =
        N_("Verify and time every ladder on everything this machine has, at several sizes and beside its ceilings, and "
           "write the report. To and from a GPU the bandwidth is measured, too; uskor bandwidth and uskor overlap "
           "measure transfers in detail."),
    .shared = &measuring_judged,
};

static void print_machine(const struct selection *selection)
{
    FILE *stream = folded_begin(stdout, style_for(stdout));
    fprintf(stream, "%s\n", tr("This machine:"));
    for (size_t d = 0; d < selection->device_count; d++) {
        const struct device_properties *properties = &selection->devices[d]->properties;
        fprintf(stream, "  %-10s %s (", selection->devices[d]->id, properties->name);
        fprintf(stream,
                properties->is_cpu ? tr_plural("%u core", "%u cores", properties->units)
                                   : tr_plural("%u unit", "%u units", properties->units),
                properties->units);
        fprintf(stream, "; %s)\n", properties->driver[0] ? properties->driver : properties->version);
    }
    for (size_t b = 0; backends[b]; b++) {
        int count;
        struct error why;
        if (backends[b]->kind != BACKEND_NULL && backend_probe(backends[b], &count, &why) != STATUS_OK)
            fprintf(stream, tr("  %-10s none: %s\n"), backends[b]->name, say_message(why.text));
    }
    folded_end(stream, stdout);
    fflush(stdout);
}

/* Where no GPU is, part of a GPU's problem does, which is larger than most caches, too: each rung's arrays are made and
 * checked many times. */
static const char *bench_without_gpu(const struct kernel *kernel)
{
    static const struct {
        const char *kernel, *problem;
    } smaller[] = {{"transpose", "transpose:rows=2560,cols=2560"},
                   {"sort", "sort:n=2^19"},
                   {"dot", "dot:n=2^23"},
                   {"matmul", "matmul:m=512,n=512,k=512"},
                   {"resize", "resize:width=1024,height=1024"},
                   {"wave", "wave:nx=128,ny=128,nz=128,steps=4"}};
    for (size_t i = 0; i < COUNT_OF(smaller); i++)
        if (strcmp(smaller[i].kernel, kernel->name) == 0)
            return smaller[i].problem;
    return kernel->bench;
}

static bool has_gpu(const struct selection *selection)
{
    bool is_there = false;
    for (size_t d = 0; d < selection->device_count; d++)
        is_there = is_there || !selection->devices[d]->properties.is_cpu;
    return is_there;
}

/* First what performs, then what rehearses. */
static enum status bench_kernel(struct bench_session *session, const struct kernel *kernel, bool full,
                                struct error *error)
{
    const char *bench = full || has_gpu(&session->selection) ? kernel->bench : bench_without_gpu(kernel);
    enum status status = STATUS_OK;
    for (int on_cpu = 0; status == STATUS_OK && on_cpu < 2; on_cpu++) {
        struct selection some = session->selection;
        some.device_count = 0;
        for (size_t d = 0; d < session->selection.device_count; d++)
            if (device_rehearses(session->selection.devices[d]) == (on_cpu == 1))
                some.devices[some.device_count++] = session->selection.devices[d];
        if (some.device_count)
            status =
                lab_bench_text(session, &some, &session->options, on_cpu ? kernel->cpu_opencl_bench : bench, error);
    }
    return status;
}

static struct measurement_list list_since(const struct bench_session *session, size_t before)
{
    return (struct measurement_list){
        .items = session->list.items + before,
        .count = session->list.count - before,
    };
}

/* Prints the results since `before` at once, so the first kernel's are read while the last one runs. */
static void print_kernel(const struct bench_session *session, size_t before)
{
    const struct measurement_list since = list_since(session, before);
    progress_end();
    report_tables_from(stdout, &since, 0, style_for(stdout));
    fflush(stdout);
}

static void print_end(FILE *out, const struct bench_session *session, struct style style)
{
    size_t passed = 0, wrong = 0, errors = 0, skipped = 0;
    for (size_t i = 0; i < session->list.count; i++) {
        const struct measurement *measurement = &session->list.items[i];
        if (measurement->kind == MEASURED_PROBE)
            continue;
        passed += measurement->verdict == VERDICT_PASS;
        skipped += measurement->verdict == VERDICT_SKIP;
        wrong += measurement->verdict == VERDICT_FAIL;
        errors += measurement->verdict == VERDICT_ERROR;
    }
    report_legend(out, &session->list, NULL, style);
    report_summary(out, &session->list, style);
    FILE *stream = folded_begin(out, style);
    fprintf(stream,
            tr("\n%zu measurements right, %zu wrong, %zu ended in an error, %zu could not run here. For details: uskor "
               "bench\n"),
            passed, wrong, errors, skipped);
    folded_end(stream, out);
}

/* A GPU may be there through OpenCL and through CUDA: its bus is the same. */
static bool is_there_by_cuda(const struct selection *selection, const struct device *device)
{
    bool is_there = false;
    for (size_t d = 0; d < selection->device_count; d++)
        is_there = is_there || (selection->devices[d]->backend->kind == BACKEND_CUDA &&
                                strcmp(selection->devices[d]->properties.name, device->properties.name) == 0);
    return is_there;
}

/* Transfers of GPUs only: on other devices they are copies in memory, which the ceilings measure. */
static enum status measure_ways(struct bench_session *session, bool shows, struct error *error)
{
    size_t before = session->list.count;
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++) {
        struct device *device = session->selection.devices[d];
        bool is_twice = device->backend->kind == BACKEND_OPENCL && is_there_by_cuda(&session->selection, device);
        if (!device->properties.is_cpu && !device_is_null(device) && !is_twice &&
            progress_step(&session->progress, device->id, BANDWIDTH_SECONDS))
            status = measure_bandwidth(session, device, bandwidth_brief(device), error);
    }
    const struct measurement_list since = list_since(session, before);
    if (shows && since.count)
        progress_end();
    if (shows && since.count)
        report_bandwidth(stdout, &since, style_for(stdout));
    return status;
}

/* The report of the store, this run included; returns the program's exit code. Without a name of the user's a report is
 * written only where tables are. */
static int write_report(const struct arguments *arguments)
{
    const struct bench_session *session = &arguments->session;
    const struct report_request request = {.store = session->store_name};
    const char *path = arguments->report ? arguments->report : REPORT_FILE;
    struct error error;
    bool is_wanted = arguments->report || (session->form == FORM_TABLE && !session->output);
    if (!is_wanted || strcmp(path, "none") == 0)
        return 0;
    if (session->store_name && strcmp(session->store_name, "none") == 0)
        fputs(tr("uskor: no report is written, as nothing is stored (--store none)\n"), stderr);
    else if (report_to_file(path, session->force, &request, &error) != STATUS_OK)
        return report_error(STATUS_SYSTEM, &error);
    else
        report_file_tell(session->form == FORM_TABLE && !session->output ? stdout : stderr, path);
    return 0;
}

/* One ladder at least has all the rungs that were chosen. */
static enum status check_choice(const struct selection *selection, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; kernels[k]; k++)
        if ((status = selection_fits(selection, kernels[k], error)) == STATUS_OK)
            return STATUS_OK;
    return status;
}

/* All steps of the lab: counted first, then done (report/terminal/progress.h). */
static enum status measure(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    bool shows = session->form == FORM_TABLE && !session->output;
    const int sizes = arguments->full || has_gpu(&session->selection) ? LAB_SIZES_MOST : 1;
    /* The report's rooflines need the ceilings; stored ones are not measured again. */
    enum status status = ceilings_ensure(session, error);
    for (size_t k = 0; status == STATUS_OK && kernels[k]; k++) {
        /* A rung that was chosen is not every ladder's: the others are left out. */
        if (selection_fits(&session->selection, kernels[k], NULL) != STATUS_OK)
            continue;
        size_t before = session->list.count;
        status = bench_kernel(session, kernels[k], arguments->full, error);
        if (shows && session->list.count > before)
            print_kernel(session, before);
        if (status == STATUS_OK)
            status = lab_sizes(session, kernels[k], sizes, arguments->full ? 0.5 : 0.03, error);
    }
    if (status == STATUS_OK)
        status = lab_group_shapes(session, arguments->full ? 0.1 : 0.01, arguments->full, error);
    if (status == STATUS_OK)
        status = measure_ways(session, shows, error);
    return status;
}

int cmd_lab(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->options.seconds = 0.2;
    session->options.precision = 0.03;
    session->isolation.guards_vendors = true;
    options_parse(&usage, argc, argv, &arguments);
    session->selection.rehearses_once = !arguments.full;
    enum status status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = check_choice(&session->selection, &error);
    bool started = status == STATUS_OK;
    if (started && session->form == FORM_TABLE)
        print_machine(&session->selection);
    session->progress.is_counting = true;
    if (started)
        status = measure(&arguments, &error);
    session->progress.is_counting = false;
    time_needed_tell(session->progress.total, 0, N_("fewer devices (--device) or a smaller --time make it shorter"));
    if (started && status == STATUS_OK)
        status = measure(&arguments, &error);
    bool measured = session->list.count > 0;
    int code = bench_session_end(session, status, &error, session->output ? NULL : print_end);
    int report_code = measured ? write_report(&arguments) : 0;
    return code ? code : report_code;
}

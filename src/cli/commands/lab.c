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
#include "cli/commands/report_file.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/time_needed.h"
#include "lab/bench/describe.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/sweep.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

/* The lab's measurements beyond each kernel's ladder: smaller sizes, for rates over size, and the group shapes of
 * transpose. */
#define LAB_SIZES_MOST 3

/* Sizes below each kernel's bench, which is the last point of its line. */
static const struct {
    const char *kernel;
    const char *problems[LAB_SIZES_MOST];
} series[] = {
    {"transpose", {"transpose:rows=512,cols=512", "transpose:rows=2048,cols=2048"}},
    {"sort", {"sort:n=2^14", "sort:n=2^17"}},
    {"dot", {"dot:n=2^17", "dot:n=2^20"}},
    {"matmul", {"matmul:m=240,n=240,k=240", "matmul:m=480,n=480,k=480"}},
    {"resize", {"resize:width=512,height=512", "resize:width=1024,height=1024"}},
    {"pipeline", {"pipeline:n=2^12", "pipeline:n=2^15"}},
};

/* The rungs of a problem that this machine has no memory for, each as a SKIP. */
static enum status skip_all(struct bench_session *session, const struct problem *problem,
                            const struct candidate *candidates, size_t count, const char *reason, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct measurement *skipped = measurement_list_add(&session->list);
        if (!skipped)
            return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        describe_measurement(skipped, problem, &candidates[i], false);
        conclude_measurement(skipped, VERDICT_SKIP, reason);
        bench_session_keep(session, skipped);
    }
    return STATUS_OK;
}

/* One problem too large must not stop the lab: what comes after it may fit. */
static enum status bench_if_it_fits(struct bench_session *session, const struct problem *problem,
                                    const struct candidate *candidates, size_t count,
                                    const struct bench_options *options, struct error *error)
{
    struct error why;
    enum status status = memory_need_check(problem, candidates, count, 0, &why);
    if (status == STATUS_INVALID)
        return skip_all(session, problem, candidates, count, why.text, error);
    if (status != STATUS_OK)
        return fail(error, status, "%s", why.text);
    return isolation_bench(&session->isolation, problem, candidates, count, options, &session->list, error);
}

/* A library on a GPU that a CPU plays compiles for long, and its place says nothing: it is there with --full, or where
 * it is named. Returns how many are left. */
static size_t leave_out_played_libraries(const struct selection *selection, struct candidate *candidates, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!selection->rehearses_once || selection->rung_name_count || candidates[i].rung->kind != RUNG_VENDOR ||
            !device_rehearses(candidates[i].device))
            candidates[kept++] = candidates[i];
    return kept;
}

/* One problem's ladder on the devices of `selection`, added to session->list. */
static enum status lab_bench_text(struct bench_session *session, const struct selection *selection,
                                  const struct bench_options *options, const char *text, struct error *error)
{
    struct problem problem;
    struct candidate *candidates;
    size_t count;
    enum status status = problem_parse(text, &problem, error);
    if (status == STATUS_OK)
        status = selection_candidates(selection, &problem, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    count = leave_out_played_libraries(selection, candidates, count);
    if (progress_step(&session->progress, problem.kernel->name, time_needed(&problem, candidates, count, options)))
        status = bench_if_it_fits(session, &problem, candidates, count, options, error);
    free(candidates);
    return status;
}

/* The kernel's ladder at its `sizes` smallest sizes below its bench's (or as many as it has), on devices that perform
 * (a GPU, the CPU; not a GPU that a CPU plays), `seconds` for each rung. The measurements are added to session->list.
 */
static enum status lab_sizes(struct bench_session *session, const struct kernel *kernel, int sizes, double seconds,
                             struct error *error)
{
    struct selection performing = session->selection;
    struct bench_options options = session->options;
    enum status status = STATUS_OK;
    performing.device_count = 0;
    for (size_t d = 0; d < session->selection.device_count; d++)
        if (!device_rehearses(session->selection.devices[d]))
            performing.devices[performing.device_count++] = session->selection.devices[d];
    options.seconds = seconds;
    for (size_t s = 0; s < COUNT_OF(series) && performing.device_count; s++)
        for (int p = 0; strcmp(series[s].kernel, kernel->name) == 0 && p < sizes && series[s].problems[p]; p++)
            if (status == STATUS_OK)
                status = lab_bench_text(session, &performing, &options, series[s].problems[p], error);
    return status;
}

static enum status sweep_device(struct bench_session *session, const struct bench_options *options,
                                const struct problem *problem, const struct rung *rung, struct device *device,
                                struct error *error)
{
    struct axis axes[2];
    struct candidate *candidates;
    size_t count;
    enum status status = axis_parse("BX=1..1024", &axes[0], error);
    if (status == STATUS_OK)
        status = axis_parse("BY=1..1024", &axes[1], error);
    if (status == STATUS_OK)
        status = sweep_candidates(device, rung, problem, &session->selection.overrides, axes, COUNT_OF(axes),
                                  &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    if (progress_step(&session->progress, problem->kernel->name, time_needed(problem, candidates, count, options)))
        status = bench_if_it_fits(session, problem, candidates, count, options, error);
    free(candidates);
    return status;
}

/* The group shapes of the naive transpose, every power of two that a device allows, `seconds` for each. With `on_cpu`
 * also on OpenCL on a CPU, where their order says nothing about a GPU, and each is compiled. */
static enum status lab_group_shapes(struct bench_session *session, double seconds, bool on_cpu, struct error *error)
{
    struct bench_options options = session->options;
    struct problem problem;
    enum status status = problem_parse("transpose:rows=1024,cols=1024", &problem, error);
    const struct rung *rung = status == STATUS_OK ? rung_by_name(problem.kernel, "naive", error) : NULL;
    if (!rung)
        return STATUS_INVALID;
    options.seconds = seconds;
    options.end_to_end = false;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++)
        if ((rung->backends & session->selection.devices[d]->backend->kind) &&
            (on_cpu || !device_rehearses(session->selection.devices[d])))
            status = sweep_device(session, &options, &problem, rung, session->selection.devices[d], error);
    return status;
}

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

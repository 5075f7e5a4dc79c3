/* uskor bench: verify and time a ladder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/mpi_launcher.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/bench_parts.h"
#include "cli/commands/roof_charts.h"
#include "cli/commands/why.h"
#include "cli/options/accuracy.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/technologies.h"
#include "cli/options/time_needed.h"
#include "distributed/ranks/ranks.h"
#include "lab/bench/accuracy.h"
#include "lab/bench/fastest.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/overhead.h"
#include "lab/transfers/memory_kinds.h"
#include "report/export/json.h"
#include "report/terminal/accuracy.h"
#include "report/terminal/report.h"

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    bool show, why, profile;
    size_t shown;          /* of the list: what has its table already */
    double rehearsed;      /* seconds of the estimate that OpenCL on a CPU takes */
    unsigned memory_kinds; /* a bit for each; 0: the ladder is benched as it is */
    const char *group;     /* several devices for one problem; NULL: each device by itself */
    bool weak;             /* … and the problem grows with them */
    bool technologies;     /* the same rungs on CUDA, OpenCL and OpenGL, side by side */
    bool accuracy;         /* speed over accuracy */
    const char *plot;      /* --plot: the SVG file; NULL: none */
    bool fastest;          /* only the rungs that a first look finds fastest */
    struct accuracy_list errors;
};

static const char doc[] = N_(
    "Verify and time a ladder.\n\n"
    "A PROBLEM is a kernel's name, followed by any non-default fields: "
    "transpose:rows=1000,cols=2000,f64. Ranges run over sizes: "
    "rows=1024..8192x2. 'uskor list KERNEL' shows the fields.\n\n"
    "Every rung is checked, every element, before and after the timing; rungs run interleaved, beside a probe of the "
    "ceiling. 'uskor help counting' explains the figures.\n\n"
    "--repeat: end-to-end times, means and sample standard deviations; the speed-up is over the ladder's first rung, "
    "and its error (s₁·t + t₁·s) / t². transfers: upload and download in the same runs, from and to pageable memory; "
    "ratio: the end-to-end time over that.\n\n"
    "--memory: managed: pages that the host wrote last migrate when the device touches them (in compute), and back "
    "when the host reads one word of each (download). prefetched: the same, all at once in advance (upload, "
    "download). mapped: the device reads and writes host memory over the bus (in compute).\n\n"
    "--accuracy: relative: the error of all elements together (Frobenius). componentwise: the largest error of an "
    "element over the sum of its terms' magnitudes. largest: the largest relative error of an element. Rungs of the "
    "ladder are checked before and after the timing. cuBLAS's products with fewer bits are not checked; their time "
    "includes the conversion of A and B.\n\n"
    "--technologies: the same rungs, timed in the same rounds. Kernel times are the device's; end to end is from host "
    "memory to host memory. docs/technologies.md says how to read the tables.");

/* "pinned,managed" or "all". */
static void read_memory(void *memory_kinds, const char *text, const struct options_state *state)
{
    unsigned *kinds = memory_kinds;
    char copy[64];
    struct error error;
    enum memory_kind kind;
    snprintf(copy, sizeof copy, "%s", text);
    if (strcmp(copy, "all") == 0) {
        *kinds = (1u << MEMORY_KIND_COUNT) - 1;
        return;
    }
    for (char *rest = copy, *word; (word = strsep(&rest, ","));) {
        if (memory_kind_parse(word, &kind, &error) != STATUS_OK)
            refuse_use(state, "%s", error.text);
        *kinds |= 1u << kind;
    }
}

static void read_fastest(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    (void)argument, (void)state;
    arguments->fastest = true;
    arguments->session.options.probe_ceilings = false;
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->weak && !arguments->group && !started_by_mpi())
        refuse_use(state, "--weak is for --devices, and for ranks (mpirun)");
    if (!arguments->session.target_count)
        refuse_use(state, "which problem? For example: uskor bench transpose");
    if (arguments->show && arguments->session.form != FORM_TABLE)
        refuse_use(state, "--%s prints for people only: leave out --json and --csv", "show");
    if (arguments->profile && (arguments->session.form != FORM_TABLE || arguments->plot || arguments->why ||
                               arguments->memory_kinds || arguments->technologies || arguments->accuracy))
        refuse_use(state, "--profile measures nothing: choose devices and rungs only");
    if (arguments->why && arguments->session.form != FORM_TABLE)
        refuse_use(state, "--%s prints for people only: leave out --json and --csv", "why");
    if (arguments->why && (arguments->session.options.repeat || arguments->memory_kinds || arguments->technologies))
        refuse_use(state, "--why explains a ladder's table: leave out --repeat, --memory and --technologies");
}

static const struct option options[] = {
    {"show", 0, NULL, N_("Print the arrays of a small problem before and after a run of each rung"),
     SETS_FLAG(struct arguments, show)},
    {"memory", 0, N_("KIND,…|all"),
     N_("The whole job with the host's side in memory of each kind: pageable, pinned, registered, managed, prefetched, "
        "mapped"),
     READ_INTO(struct arguments, memory_kinds, read_memory)},
    {"technologies", 0, NULL, N_("The same rungs on every device technology, side by side"),
     SETS_FLAG(struct arguments, technologies)},
    {"accuracy", 0, NULL, N_("Speed over accuracy: each rung's rate and measured error, on each kind of inputs"),
     SETS_FLAG(struct arguments, accuracy)},
    {"why", 0, NULL,
     N_("Below each table, a line for each device rung: what changed from the rung before it, and what binds it"),
     SETS_FLAG(struct arguments, why)},
    {"profile", 0, NULL,
     N_("Measure nothing: one launch of each rung inside a profiler's range (CUDA), e.g. under 'ncu "
        "--profile-from-start off'"),
     SETS_FLAG(struct arguments, profile)},
    {"devices", 0, N_("DEVICES"),
     N_("Several devices for one problem, e.g. cuda:0..3: the ladder over devices, on 1, 2, 4, … of them"),
     SETS_TEXT(struct arguments, group)},
    {"plot", 0, N_("FILE.svg"),
     N_("Draw what is measured into an SVG file: the rates over sizes where there are several, else the ladder"),
     SETS_TEXT(struct arguments, plot)},
    {"fastest", 0, NULL,
     N_("Time all rungs briefly, then only our fastest, the chosen one, and libraries that take at most 4 times as "
        "long; without ceilings"),
     READ_BY(read_fastest)},
    {"weak", 0, NULL, N_("With --devices or over ranks: the problem grows with their number"),
     SETS_FLAG(struct arguments, weak)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = N_("PROBLEM…"),
    .doc = doc,
    .shared = &measuring_judged,
};

static enum status show_all(const struct problem *problem, const struct candidate *candidates, size_t count,
                            struct error *error)
{
    enum status status = STATUS_OK;
    char reason[256];
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        if (!rung_refuses(candidates[i].rung, problem, candidates[i].device, &candidates[i].parameters, reason,
                          sizeof reason))
            status = show_run(stdout, problem, &candidates[i], error);
    return status;
}

/* Whether the tables are those of a ladder. */
static bool has_ladders(const struct arguments *arguments)
{
    return arguments->session.form == FORM_TABLE && !arguments->session.options.repeat && !arguments->memory_kinds &&
           !arguments->technologies && !arguments->accuracy;
}

/* For each device that has device rungs in the problem's table. */
static enum status show_why(struct arguments *arguments, const struct problem *problem, struct error *error)
{
    const struct bench_session *session = &arguments->session;
    FILE *stream = session->result.stream;
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++) {
        struct why_request request = {.problem = problem,
                                      .overrides = &session->selection.overrides,
                                      .device = session->selection.devices[d],
                                      .list = &session->list,
                                      .store_name = session->store_name};
        status = why_print(stream, &request, style_for(stream), error);
    }
    fflush(stream);
    return status;
}

/* A problem's table as soon as it has ended: what comes later, a crash even, takes nothing away from it. */
static void show_tables(struct arguments *arguments)
{
    FILE *stream = arguments->session.result.stream;
    progress_end();
    report_tables_from(stream, &arguments->session.list, arguments->shown, style_for(stream));
    fflush(stream);
    arguments->shown = arguments->session.list.count;
}

/* A rough look at all candidates; those that are worth the exact comparison remain. */
static enum status keep_fastest(const struct bench_session *session, const struct problem *problem,
                                struct candidate *candidates, size_t *count, struct error *error)
{
    struct measurement_list look = {0};
    const struct bench_options first = fastest_look(&session->options);
    if (session->selection.overrides.count == 0)
        fastest_take_choice(problem, candidates, *count);
    enum status status = isolation_bench(&session->isolation, problem, candidates, *count, &first, &look, error);
    if (status == STATUS_OK)
        *count = fastest_keep(problem, &look, candidates, *count);
    measurement_list_free(&look);
    return status;
}

/* Devices that perform come first, and their table is shown at once: OpenCL on a CPU may take minutes more. While the
 * progress is counting, only their time is. */
static enum status bench_ladder(struct arguments *arguments, const struct problem *problem,
                                const struct candidate *candidates, size_t count, struct error *error)
{
    struct bench_session *session = &arguments->session;
    struct candidate *some = malloc((count + 1) * sizeof *some);
    enum status status = some ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
    for (int plays = 0; status == STATUS_OK && plays < 2; plays++) {
        size_t taken = 0;
        for (size_t i = 0; i < count; i++)
            if (device_rehearses(candidates[i].device) == (plays == 1))
                some[taken++] = candidates[i];
        if (session->progress.is_counting && taken && status == STATUS_OK)
            status = memory_need_check(problem, some, taken, 0, error);
        const double seconds = time_needed(problem, some, taken, &session->options);
        if (!progress_step(&session->progress, problem->kernel->name, seconds)) {
            arguments->rehearsed += plays ? seconds : 0;
            continue;
        }
        if (taken)
            status =
                isolation_bench(&session->isolation, problem, some, taken, &session->options, &session->list, error);
        show_tables(arguments);
    }
    free(some);
    return status;
}

static enum status bench_problem(struct bench_session *session, const struct problem *problem, struct error *error)
{
    struct arguments *arguments = (struct arguments *)session;
    struct candidate *candidates;
    size_t count;
    enum status status = selection_candidates(&session->selection, problem, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    if (arguments->technologies)
        count = technologies_filter(&session->selection, candidates, count);
    if (arguments->profile) {
        status = session->progress.is_counting ? STATUS_OK : profile_all(stdout, problem, candidates, count, error);
        free(candidates);
        return status;
    }
    if (session->progress.is_counting) {
        status = bench_ladder(arguments, problem, candidates, count, error);
        free(candidates);
        return status;
    }
    status = memory_need_check(problem, candidates, count, 0, error);
    if (status == STATUS_OK && arguments->fastest)
        status = keep_fastest(session, problem, candidates, &count, error);
    if (status == STATUS_OK && arguments->show)
        status = show_all(problem, candidates, count, error);
    if (status == STATUS_OK && arguments->memory_kinds)
        status = lab_memory_kinds(problem, candidates, count, arguments->memory_kinds, &session->options,
                                  &session->list, error);
    else if (status == STATUS_OK && has_ladders(arguments))
        status = bench_ladder(arguments, problem, candidates, count, error);
    else if (status == STATUS_OK)
        status =
            isolation_bench(&session->isolation, problem, candidates, count, &session->options, &session->list, error);
    free(candidates);
    if (status == STATUS_OK && arguments->why)
        status = show_why(arguments, problem, error);
    return status;
}

/* Every problem is counted first, so that the whole time is known. */
static enum status bench_all(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    session->suits_devices = has_ladders(arguments);
    if (has_ladders(arguments)) {
        session->progress.is_counting = true;
        enum status status = bench_session_each_problem(session, bench_problem, error);
        session->progress.is_counting = false;
        if (status != STATUS_OK)
            return status;
        time_needed_tell(session->progress.total, arguments->rehearsed,
                         N_("a smaller problem or a smaller --time makes it shorter"));
    }
    return bench_session_each_problem(session, bench_problem, error);
}

/* Errors are beside their measurements in the store; what cannot be kept takes nothing else away. */
static void keep_errors(struct bench_session *session, const struct accuracy_list *errors, size_t begin)
{
    for (size_t i = begin; i < errors->count; i++) {
        const struct measurement *measurement = &session->list.items[errors->items[i].measurement];
        char text[ACCURACY_JSON_BYTES];
        struct error why;
        if (session->store && measurement->id &&
            store_put_attachment(session->store, measurement->id, "accuracy", accuracy_json(&errors->items[i], text),
                                 &why) != STATUS_OK)
            bench_session_lose_store(session, &why);
    }
}

static enum status compare_accuracy(struct bench_session *session, const struct problem *problem, struct error *error)
{
    struct arguments *arguments = (struct arguments *)session;
    struct candidate *candidates;
    size_t count, before = arguments->errors.count;
    enum status status = accuracy_candidates(session, problem, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    status = lab_accuracy(problem, candidates, count, &session->options, &session->list, &arguments->errors, error);
    keep_errors(session, &arguments->errors, before);
    free(candidates);
    return status;
}

static bool write_accuracy(FILE *stream, const struct bench_session *session)
{
    return report_json_accuracy(stream, &session->list, &((const struct arguments *)session)->errors);
}

static enum status bench_accuracy(struct bench_session *session, const struct problem *problem, struct error *error)
{
    return accuracy_each_input(session, problem, compare_accuracy, error);
}

/* "harness overhead: 17.6 ns per launch" of the first problem's kernel; NULL when it could not be measured, or when
 * there is nothing that was timed. */
static const char *overhead_text(const struct measurement_list *list, char *text, size_t size)
{
    const struct measurement *timed = NULL;
    double overhead;
    char cost[32];
    for (size_t i = 0; i < list->count && !timed; i++)
        if (list->items[i].kind != MEASURED_PROBE && list->items[i].phases[PHASE_COMPUTE].count)
            timed = &list->items[i];
    if (!timed || lab_overhead(kernel_by_name(timed->kernel, NULL), &overhead, NULL) != STATUS_OK)
        return NULL;
    text_duration(overhead, cost, sizeof cost);
    snprintf(text, size, tr("harness overhead: %s per launch"), say_quantity(cost, sizeof cost));
    return text;
}

static void print_bench(FILE *stream, const struct bench_session *session, struct style style)
{
    if (session->options.repeat) {
        report_protocol(stream, &session->list, style);
        return;
    }
    if (((const struct arguments *)session)->technologies) {
        report_technologies(stream, &session->list, style);
        technologies_absent(stream, &session->selection);
        return;
    }
    if (((const struct arguments *)session)->accuracy) {
        report_accuracy(stream, &session->list, &((const struct arguments *)session)->errors, style);
        return;
    }
    report_memory_kinds(stream, &session->list, style);
    if (session->list.count && strcmp(session->list.items[0].kernel, "memory") == 0)
        return;
    report_tables_from(stream, &session->list, ((const struct arguments *)session)->shown, style);
    char overhead[96];
    report_legend(stream, &session->list, overhead_text(&session->list, overhead, sizeof overhead), style);
}

int cmd_bench(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    bench_session_init(&arguments.session);
    arguments.session.targets_most = TARGETS_MOST;
    options_parse(&usage, argc, argv, &arguments);
    arguments.session.selection.rehearses_once = !arguments.technologies;
    arguments.session.judges_nothing = arguments.session.keeps_nothing = arguments.profile;
    if (started_by_mpi())
        return bench_over_ranks(&arguments.session,
                                &(struct ranks_request){
                                    .weak = arguments.weak,
                                    .refused = options_beyond(&usage, argc, argv, options_over_ranks),
                                });
    if (arguments.group)
        return run_bench_devices(&arguments.session, arguments.group, arguments.weak);
    enum status status = STATUS_OK;
    if (arguments.accuracy)
        arguments.session.write_json = write_accuracy;
    if (arguments.technologies)
        status = technologies_choose(&arguments.session, &error);
    if (status == STATUS_OK)
        status = bench_session_start(&arguments.session, &error);
    if (status == STATUS_OK && arguments.technologies)
        technologies_sizes(&arguments.session);
    if (status == STATUS_OK && arguments.accuracy)
        accuracy_sizes(&arguments.session);
    if (status == STATUS_OK)
        status = arguments.accuracy ? bench_session_each_problem(&arguments.session, bench_accuracy, &error)
                                    : bench_all(&arguments, &error);
    if (status == STATUS_OK && arguments.plot)
        status = plot_measured(&arguments.session.list, arguments.plot, arguments.session.force, &error);
    int code = bench_session_end(&arguments.session, status, &error, print_bench);
    accuracy_list_free(&arguments.errors);
    return code;
}

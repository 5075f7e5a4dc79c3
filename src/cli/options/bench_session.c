#include "cli/options/bench_session.h"
#include "base/hang_guard.h"
#include "base/threads.h"
#include "base/translation.h"
#include "cli/options/outcome.h"
#include "cli/options/recording.h"
#include "cli/options/threads.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "files/output.h"
#include "lab/bench/interrupt.h"
#include "report/export/csv.h"
#include "report/model/counters.h"

/* ---- options ---- */

static void read_seed(void *input, const char *argument, const struct options_state *state)
{
    struct bench_session *session = input;
    session->has_seed = true;
    if (strcmp(argument, "random") != 0)
        session->seed = (uint32_t)option_whole(state, "seed", argument, 0, UINT32_MAX);
    else if (getrandom(&session->seed, sizeof session->seed, 0) != (ssize_t)sizeof session->seed)
        refuse_use(state, "the system gives no random seed");
}

static void read_precision(void *input, const char *argument, const struct options_state *state)
{
    struct bench_session *session = input;
    session->options.precision = option_number(state, "precision", argument, 0.01, 100) / 100;
}

static void read_limit(void *input, const char *argument, const struct options_state *state)
{
    struct bench_session *session = input;
    if (!isolation_read_limit(argument, &session->isolation.seconds))
        refuse_use(state, "--limit takes a time from 0.1s to 1440m; this is '%s'", argument);
    hang_guard_limit(session->isolation.seconds);
}

/* A label must not look like what else names a run: a number, "last", a file. */
static void read_label(void *input, const char *argument, const struct options_state *state)
{
    struct bench_session *session = input;
    if (!label_is_good(argument))
        refuse_use(state, "'%s' is not a label: 1 to 127 letters, not all digits, no '*', '~' or '/', not 'last'",
                   argument);
    session->label = argument;
}

static void add_target(void *input, const char *argument, const struct options_state *state)
{
    struct bench_session *session = input;
    if (!session->targets_most)
        refuse_argument(state, argument);
    if (session->target_count == session->targets_most && session->too_many)
        refuse_use(state, "%s", session->too_many);
    if (session->target_count == session->targets_most)
        refuse_use(state, "more than %zu problems", session->targets_most);
    session->targets[session->target_count++] = argument;
}

/* Rows that several commands' tables have. */
/* clang-format off */
#define WHAT_RUNS {.doc = N_("What runs:")}
#define DEVICE \
    {"device", 'd', N_("DEVICE"), N_("Run on this device only: cpu, opencl:0, cuda:0, null … (any number of times)"), \
     READ_INTO(struct bench_session, selection, selection_read_device)}
#define ONE_DEVICE \
    {"device", 'd', N_("DEVICE"), N_("On this device only: cpu, opencl:0, cuda:0 … (any number of times)"), \
     READ_INTO(struct bench_session, selection, selection_read_device)}
#define TIME_OF_FIGURE {"time", 0, N_("SECONDS"), N_("Time on the clock for each figure"), \
     SETS_NUMBER(struct bench_session, options.seconds, 0.001, 3600)}
#define RUNG {"rung", 'r', N_("RUNG"), N_("Run this rung only (any number of times); chosen: the one that suits the shape"), \
     READ_INTO(struct bench_session, selection, selection_read_rung)}
#define FILTER {"filter", 0, N_("REGEX"), N_("Run the rungs whose names it matches, e.g. '^tiled|cublas'"), \
     READ_INTO(struct bench_session, selection, selection_read_filter)}
#define SET {"set", 's', N_("NAME=VALUE"), N_("Set a rung's parameter, e.g. TILE=32"), \
     READ_INTO(struct bench_session, selection, selection_read_set)}
#define SEED \
    {"seed", 0, "N|random", N_("Seed of the data (default: 1); a random one is named in the problem's text"), \
     READ_BY(read_seed)}
#define THREADS {"threads", 0, "N", N_("CPU threads (default: all)"), \
     SETS_WHOLE(struct bench_session, threads, 1, THREADS_MOST)}
#define ISOLATION \
    {"isolate", 0, NULL, N_("Run the rungs in a process of their own (default: in check, and OpenCL on a CPU)"), \
     SETS_VALUE(struct bench_session, isolation.wish, ISOLATION_ALWAYS)}, \
    {"no-isolate", 0, NULL, N_("Run all rungs in this process"), \
     SETS_VALUE(struct bench_session, isolation.wish, ISOLATION_NEVER)}, \
    {"limit", 0, N_("TIME"), N_("End such a process after TIME without a sign of life, e.g. 10s (default: 120s; try: 10s)"), \
     READ_BY(read_limit)}
#define HOW_TIMED {.doc = N_("How it is timed:")}
#define FIGURES \
    {.doc = N_("The figures:")}, \
    {"json", 0, NULL, N_("Write JSON, with every sample"), \
     SETS_FORM(struct bench_session, form, FORM_JSON)}, \
    {"csv", 0, NULL, N_("Write CSV"), \
     SETS_FORM(struct bench_session, form, FORM_CSV)}, \
    {"markdown", 0, NULL, N_("Write Markdown tables"), \
     SETS_FORM(struct bench_session, form, FORM_MARKDOWN)}, \
    {"output", 'o', N_("FILE"), N_("Write to FILE instead of the terminal"), \
     SETS_TEXT(struct bench_session, output)}, \
    {"force", 0, NULL, N_("Overwrite FILE when it exists"), \
     SETS_FLAG(struct bench_session, force)}
#define STORE \
    {.doc = N_("The store:")}, \
    {"store", 0, N_("FILE|none"), N_("Store every measurement in this SQLite file (default: uskor/store.sqlite in the user's data folder)"), \
     SETS_TEXT(struct bench_session, store_name)}, \
    {"label", 0, N_("TEXT"), N_("What this run is called in 'uskor history' and 'uskor compare'"), \
     READ_BY(read_label)}
/* clang-format on */

static const struct option options[] = {
    WHAT_RUNS,
    DEVICE,
    RUNG,
    FILTER,
    SET,
    SEED,
    THREADS,
    HOW_TIMED,
    {"time", 0, N_("SECONDS"), N_("Time on the clock for each rung (default: 1; try and lab: 0.2)"),
     SETS_NUMBER(struct bench_session, options.seconds, 0.001, 3600)},
    {"precision", 0, N_("PERCENT"), N_("Stop earlier when the median is known this well (default: 1)"),
     READ_BY(read_precision)},
    {"samples", 0, "N", N_("At least N samples of each rung, however long they take"),
     SETS_WHOLE(struct bench_session, options.samples_least, 1, 100000)},
    {"repeat", 0, "N",
     N_("A publication's protocol: exactly N end-to-end times of each rung; means and standard "
        "deviations"),
     SETS_WHOLE(struct bench_session, options.repeat, 2, 100000)},
    {"counters", 0, NULL, N_("Count clocks, energy, cycles and instructions, too, where the system lets a program"),
     SETS_FLAG(struct bench_session, options.counters)},
    {"cold", 0, NULL, N_("Flush the caches before every run"), SETS_FLAG(struct bench_session, options.cold)},
    {"kernel-only", 0, NULL, N_("Do not time the transfers"),
     SETS_VALUE(struct bench_session, options.end_to_end, false)},
    FIGURES,
    STORE,
    {0},
};

static const struct option options_without_times[] = {
    WHAT_RUNS,
    DEVICE,
    RUNG,
    FILTER,
    SET,
    SEED,
    THREADS,
    ISOLATION,
    FIGURES,
    {"store", 0, "none", N_("Accepted, and without effect: nothing is timed, so nothing is stored"),
     SETS_TEXT(struct bench_session, store_name)},
    {0},
};

static const struct option options_without_rungs[] = {
    WHAT_RUNS, DEVICE, THREADS, HOW_TIMED, TIME_OF_FIGURE, FIGURES, STORE, {0},
};

static const struct option options_of_what_is_kept[] = {WHAT_RUNS, DEVICE, RUNG, THREADS, FIGURES, STORE, {0}};

static const struct option options_of_choice[] = {
    ONE_DEVICE,
    THREADS,
    {"json", 0, NULL, N_("Write JSON"), SETS_FORM(struct bench_session, form, FORM_JSON)},
    {"output", 'o', N_("FILE"), N_("Write to FILE instead of the terminal"), SETS_TEXT(struct bench_session, output)},
    {"force", 0, NULL, N_("Overwrite FILE when it exists"), SETS_FLAG(struct bench_session, force)},
    {0},
};

static const struct option options_of_tuning[] = {
    ONE_DEVICE,
    THREADS,
    ISOLATION,
    {0},
};

static const struct option options_of_effects[] = {
    WHAT_RUNS, DEVICE, THREADS, HOW_TIMED, TIME_OF_FIGURE, FIGURES, {0},
};

static const struct option options_isolation[] = {ISOLATION, {0}};

const struct usage measuring_usage = {.options = options, .argument = add_target};
const struct usage measuring_judged = {.options = options_isolation, .shared = &measuring_usage};
const struct usage measuring_without_times = {.options = options_without_times, .argument = add_target};
const struct usage measuring_without_rungs = {.options = options_without_rungs, .argument = add_target};
const struct usage measuring_effects = {.options = options_of_effects, .argument = add_target};
const struct usage measuring_tuning = {.options = options_of_tuning, .argument = add_target};
const struct usage measuring_choice = {.options = options_of_choice, .argument = add_target};
const struct usage measuring_what_is_kept = {.options = options_of_what_is_kept, .argument = add_target};

void bench_session_init(struct bench_session *session)
{
    memset(session, 0, sizeof *session);
    session->options = bench_defaults();
}

typedef enum status each_problem(struct bench_session *, const struct problem *, struct error *);

static enum status each_of_range(struct bench_session *session, const char *text, each_problem *each,
                                 struct error *error)
{
    struct problem *problems;
    size_t count;
    enum status status = problem_parse_range(text, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (session->has_seed)
            problems[i].seed = session->seed;
        status = each(session, &problems[i], error);
    }
    free(problems);
    return status;
}

/* A kernel without a size: devices that perform get its bench, those that play a GPU on a CPU's cores a smaller one. */
static enum status each_suiting(struct bench_session *session, const struct kernel *kernel, each_problem *each,
                                struct error *error)
{
    const struct selection whole = session->selection;
    enum status status = STATUS_OK;
    for (int plays = 0; status == STATUS_OK && plays < 2; plays++) {
        struct selection *some = &session->selection;
        some->device_count = 0;
        for (size_t d = 0; d < whole.device_count; d++)
            if (device_rehearses(whole.devices[d]) == (plays == 1))
                some->devices[some->device_count++] = whole.devices[d];
        if (some->device_count)
            status = each_of_range(session, plays ? kernel->cpu_opencl_bench : kernel->bench, each, error);
        session->selection = whole;
    }
    return status;
}

static enum status each_of_text(struct bench_session *session, const char *text, each_problem *each,
                                struct error *error)
{
    const struct kernel *kernel = strchr(text, ':') ? NULL : kernel_by_name(text, NULL);
    if (kernel && session->suits_devices && kernel->cpu_opencl_bench)
        return each_suiting(session, kernel, each, error);
    return each_of_range(session, kernel ? kernel->bench : text, each, error);
}

/* Checked before the first measurement: a rung that a later problem's kernel lacks is reported now, not after an hour.
 */
static enum status check_targets(const struct bench_session *session, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < session->target_count; i++) {
        const char *text = session->targets[i];
        const struct kernel *kernel = strchr(text, ':') ? NULL : kernel_by_name(text, NULL);
        struct problem *problems;
        size_t count;
        status = problem_parse_range(kernel ? kernel->bench : text, &problems, &count, error);
        if (status != STATUS_OK)
            return status;
        status = selection_fits(&session->selection, problems[0].kernel, error);
        free(problems);
    }
    return status;
}

enum status bench_session_each_problem(struct bench_session *session,
                                       enum status (*each)(struct bench_session *, const struct problem *,
                                                           struct error *),
                                       struct error *error)
{
    enum status status = check_targets(session, error);
    for (size_t i = 0; status == STATUS_OK && i < session->target_count; i++)
        status = each_of_text(session, session->targets[i], each, error);
    return status;
}

/* More threads than cores take turns: what is timed is then the scheduler. */
static void warn_of_threads(int threads)
{
    if (threads > omp_get_num_procs())
        report_warning("warning: %d threads on %d cores take turns; figures are worth little", threads,
                       omp_get_num_procs());
}

enum status bench_session_start(struct bench_session *session, struct error *error)
{
    interrupt_install(output_end_by_signal);
    interrupt_answer(tr("uskor: ends after the run under way and the last checks; Ctrl-C again: at once"));
    if (session->threads > omp_get_thread_limit())
        return fail(error, STATUS_INVALID, "%d threads: OMP_THREAD_LIMIT allows %d", session->threads,
                    omp_get_thread_limit());
    if (session->threads) {
        if (threads_suffice(session->threads, 0, error) != STATUS_OK)
            return STATUS_INVALID;
        threads_set(session->threads);
    }
    warn_of_threads(omp_get_max_threads());
    progress_begin();
    session->options.progress = progress_show;
    session->options.progress_context = &session->progress;
    session->options.finished = bench_session_keep;
    session->options.finished_context = session;
    /* Checked before the first measurement: an output file that cannot be written is reported now, not after an hour.
     * The store comes first, as the result must not overwrite it. */
    enum status status = recording_open(session, error);
    if (status == STATUS_OK)
        status = result_open(session->output, session->force, &session->result, error);
    if (status == STATUS_OK)
        status = selection_open(&session->selection, error);
    if (status == STATUS_OK)
        ceilings_load(session);
    return status;
}

static bool write_csv(FILE *stream, const void *context)
{
    const struct bench_session *session = context;
    return session->write_csv ? session->write_csv(stream, session) : report_csv(stream, &session->list);
}

static bool write_form(FILE *stream, struct bench_session *session,
                       void (*print)(FILE *, const struct bench_session *, struct style))
{
    if (session->form == FORM_JSON)
        return session->write_json ? session->write_json(stream, session) : report_json(stream, &session->list);
    if (session->form == FORM_CSV)
        return write_csv(stream, session);
    if (session->form == FORM_MARKDOWN && !session->write_csv)
        return report_markdown(stream, &session->list);
    if (session->form == FORM_MARKDOWN)
        return markdown_of_csv(stream, write_csv, session);
    if (print)
        print(stream, session, style_for(stream));
    else
        report_tables(stream, &session->list, style_for(stream));
    return fflush(stream) == 0 && !ferror(stream);
}

enum status bench_session_write(struct bench_session *session,
                                void (*print)(FILE *, const struct bench_session *, struct style), struct error *error)
{
    progress_end();
    struct result *result = &session->result;
    enum status status = STATUS_OK;
    if (!write_form(result->stream, session, print))
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", result->name, result_reason(result->stream));
    return result_close(result, status, error);
}

/* Says so where nothing that --counters asks for could be counted. */
static void tell_uncounted(const struct bench_session *session)
{
    bool any = !session->options.counters;
    for (size_t i = 0; i < session->list.count; i++)
        any = any || counters_are_there(&session->list.items[i]);
    if (!any)
        fputs(tr("uskor: --counters: nothing is counted here: no perf_event counters, no powercap, no cpufreq, no "
                 "NVML\n"),
              stderr);
}

int bench_session_end(struct bench_session *session, enum status status, struct error *error,
                      void (*print)(FILE *, const struct bench_session *, struct style))
{
    struct error why;
    enum status written = STATUS_OK;
    if (session->list.count) {
        written = bench_session_write(session, print, &why);
        tell_uncounted(session);
    } else {
        progress_end();
    }
    int code = exit_code_for(status);
    if (status != STATUS_OK)
        report_error(status, error);
    else if (written != STATUS_OK)
        code = report_error(written, &why);
    else if (!session->judges_nothing)
        code = exit_code_for(report_verdict(&session->list));
    if (code == EXIT_DONE && session->store_failed && session->store_name)
        code = EXIT_USE;
    result_close(&session->result, STATUS_FAILED, NULL); /* what is not written yet never will be */
    store_close(session->store);
    measurement_list_free(&session->list);
    measurement_list_free(&session->ceilings);
    selection_close(&session->selection);
    return code;
}

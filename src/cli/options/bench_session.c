#include "cli/options/bench_session.h"
#include "base/hang_guard.h"
#include "base/threads.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/options/recording.h"
#include "cli/options/result.h"
#include "cli/options/threads.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "files/output.h"
#include "lab/bench/interrupt.h"

enum {
    KEY_JSON = 256,
    KEY_CSV,
    KEY_TIME,
    KEY_COLD,
    KEY_THREADS,
    KEY_KERNEL_ONLY,
    KEY_FORCE,
    KEY_PRECISION,
    KEY_REPEAT,
    KEY_SEED,
    KEY_STORE,
    KEY_LABEL,
    KEY_ISOLATE,
    KEY_NO_ISOLATE,
    KEY_LIMIT,
    KEY_SAMPLES,
    KEY_FILTER,
    KEY_MARKDOWN,
};

/* Rows that several commands' tables have. */
/* clang-format off */
#define WHAT_RUNS {NULL, 0, NULL, 0, N_("What runs:"), 1}
#define DEVICE \
    {"device", 'd', N_("DEVICE"), 0, N_("Run on this device only: cpu, opencl:0, cuda:0, null … (any number of times)"), 1}
#define RUNG {"rung", 'r', N_("RUNG"), 0, N_("Run this rung only (any number of times); chosen: the one that suits the shape"), 1}
#define FILTER {"filter", KEY_FILTER, N_("REGEX"), 0, N_("Run the rungs whose names it matches, e.g. '^tiled|cublas'"), 1}
#define SET {"set", 's', N_("NAME=VALUE"), 0, N_("Set a rung's parameter, e.g. TILE=32"), 1}
#define SEED \
    {"seed", KEY_SEED, "N|random", 0, N_("Seed of the data (default: 1); a random one is named in the problem's text"), 1}
#define THREADS {"threads", KEY_THREADS, "N", 0, N_("CPU threads (default: all)"), 1}
#define ISOLATION                                                                                                      \
    {"isolate", KEY_ISOLATE, NULL, 0, N_("Run the rungs in a process of their own (default: in check, and OpenCL on a CPU)"), 1}, \
    {"no-isolate", KEY_NO_ISOLATE, NULL, 0, N_("Run all rungs in this process"), 1},                                       \
    {"limit", KEY_LIMIT, N_("TIME"), 0, N_("End such a process after TIME without a sign of life, e.g. 10s (default: 120s; try: 10s)"), 1}
#define HOW_TIMED {NULL, 0, NULL, 0, N_("How it is timed:"), 2}
#define FIGURES \
    {NULL, 0, NULL, 0, N_("The figures:"), 3}, \
    {"json", KEY_JSON, NULL, 0, N_("Write JSON, with every sample"), 3}, \
    {"csv", KEY_CSV, NULL, 0, N_("Write CSV"), 3}, \
    {"output", 'o', N_("FILE"), 0, N_("Write to FILE instead of the terminal"), 3}, \
    {"force", KEY_FORCE, NULL, 0, N_("Overwrite FILE when it exists"), 3}
#define MARKDOWN {"markdown", KEY_MARKDOWN, NULL, 0, N_("Write Markdown tables"), 3}
#define STORE \
    {NULL, 0, NULL, 0, N_("The store:"), 4}, \
    {"store", KEY_STORE, N_("FILE|none"), 0, \
     N_("Store every measurement in this SQLite file (default: uskor/store.sqlite in the user's data folder)"), 4}, \
    {"label", KEY_LABEL, N_("TEXT"), 0, N_("What this run is called in 'uskor history' and 'uskor compare'"), 4}
/* clang-format on */

static const struct argp_option options[] = {
    WHAT_RUNS,
    DEVICE,
    RUNG,
    FILTER,
    SET,
    SEED,
    THREADS,
    HOW_TIMED,
    {"time", KEY_TIME, N_("SECONDS"), 0, N_("Time on the clock for each rung (default: 1; try and lab: 0.2)"), 2},
    {"precision", KEY_PRECISION, N_("PERCENT"), 0, N_("Stop earlier when the median is known this well (default: 1)"),
     2},
    {"samples", KEY_SAMPLES, "N", 0, N_("At least N samples of each rung, however long they take"), 2},
    {"repeat", KEY_REPEAT, "N", 0,
     N_("A publication's protocol: exactly N end-to-end times of each rung; means and standard "
        "deviations"),
     2},
    {"cold", KEY_COLD, NULL, 0, N_("Flush the caches before every run"), 2},
    {"kernel-only", KEY_KERNEL_ONLY, NULL, 0, N_("Do not time the transfers"), 2},
    {"no-whole", KEY_KERNEL_ONLY, NULL, OPTION_HIDDEN, NULL, 2},
    FIGURES,
    MARKDOWN,
    STORE,
    {0},
};

static const struct argp_option options_without_times[] = {
    WHAT_RUNS,
    DEVICE,
    RUNG,
    FILTER,
    SET,
    SEED,
    THREADS,
    ISOLATION,
    FIGURES,
    {"store", KEY_STORE, "none", 0, N_("Accepted, and without effect: nothing is timed, so nothing is stored"), 3},
    {0},
};

static const struct argp_option options_without_rungs[] = {
    WHAT_RUNS,
    DEVICE,
    THREADS,
    HOW_TIMED,
    {"time", KEY_TIME, N_("SECONDS"), 0, N_("Time on the clock for each figure"), 2},
    FIGURES,
    STORE,
    {0},
};

static const struct argp_option options_of_what_is_kept[] = {WHAT_RUNS, DEVICE, RUNG, THREADS, FIGURES, STORE, {0}};

static const struct argp_option options_of_choice[] = {
    {"device", 'd', N_("DEVICE"), 0, N_("On this device only: cpu, opencl:0, cuda:0 … (any number of times)"), 1},
    THREADS,
    {"json", KEY_JSON, NULL, 0, N_("Write JSON"), 1},
    {"output", 'o', N_("FILE"), 0, N_("Write to FILE instead of the terminal"), 1},
    {"force", KEY_FORCE, NULL, 0, N_("Overwrite FILE when it exists"), 1},
    {0},
};

static const struct argp_option options_of_tuning[] = {
    {"device", 'd', N_("DEVICE"), 0, N_("On this device only: cpu, opencl:0, cuda:0 … (any number of times)"), 1},
    THREADS,
    ISOLATION,
    {0},
};

static const struct argp_option options_of_effects[] = {
    WHAT_RUNS,
    DEVICE,
    THREADS,
    HOW_TIMED,
    {"time", KEY_TIME, N_("SECONDS"), 0, N_("Time on the clock for each figure"), 2},
    FIGURES,
    {0},
};

static void read_selection(int key, const char *argument, const struct argp_state *state, struct selection *selection)
{
    struct error error;
    enum status status = key == 'd'          ? selection_add_device(selection, argument, &error)
                         : key == 'r'        ? selection_add_rung(selection, argument, &error)
                         : key == KEY_FILTER ? selection_set_filter(selection, argument, &error)
                                             : overrides_add(&selection->overrides, argument, &error);
    if (status != STATUS_OK)
        refuse_use(state, "%s", error.text);
}

static void read_seed(const struct argp_state *state, const char *argument, struct bench_session *session)
{
    session->has_seed = true;
    if (strcmp(argument, "random") != 0)
        session->seed = (uint32_t)option_whole(state, "seed", argument, 0, UINT32_MAX);
    else if (getrandom(&session->seed, sizeof session->seed, 0) != (ssize_t)sizeof session->seed)
        refuse_use(state, "the system gives no random seed");
}

/* A label must not look like what else names a run: a number, "last", a file. */
static void read_label(const struct argp_state *state, const char *argument, struct bench_session *session)
{
    if (!label_is_good(argument))
        refuse_use(state, "'%s' is not a label: 1 to 127 letters, not all digits, no '*', '~' or '/', not 'last'",
                   argument);
    session->label = argument;
}

static void add_target(const struct argp_state *state, const char *argument, struct bench_session *session)
{
    if (!session->targets_most)
        refuse_argument(state, argument);
    if (session->target_count == session->targets_most && session->too_many)
        refuse_use(state, "%s", session->too_many);
    if (session->target_count == session->targets_most)
        refuse_use(state, "more than %zu problems", session->targets_most);
    session->targets[session->target_count++] = argument;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct bench_session *session = state->input;
    struct bench_options *how = &session->options;
    switch (key) {
    case 'd':
    case 'r':
    case 's':
    case KEY_FILTER:
        read_selection(key, argument, state, &session->selection);
        return 0;
    case 'o':
        session->output = argument;
        return 0;
    case KEY_THREADS:
        session->threads = (int)option_whole(state, "threads", argument, 1, THREADS_MOST);
        return 0;
    case KEY_TIME:
        how->seconds = option_number(state, "time", argument, 0.001, 3600);
        return 0;
    case KEY_PRECISION:
        how->precision = option_number(state, "precision", argument, 0.01, 100) / 100;
        return 0;
    case KEY_SAMPLES:
        how->samples_least = (unsigned)option_whole(state, "samples", argument, 1, 100000);
        return 0;
    case KEY_REPEAT:
        how->repeat = (unsigned)option_whole(state, "repeat", argument, 2, 100000);
        return 0;
    case KEY_SEED:
        read_seed(state, argument, session);
        return 0;
    case KEY_COLD:
        how->cold = true;
        return 0;
    case KEY_KERNEL_ONLY:
        how->end_to_end = false;
        return 0;
    case KEY_ISOLATE:
    case KEY_NO_ISOLATE:
        session->isolation.wish = key == KEY_ISOLATE ? ISOLATION_ALWAYS : ISOLATION_NEVER;
        return 0;
    case KEY_LIMIT:
        if (!isolation_read_limit(argument, &session->isolation.seconds))
            refuse_use(state, "--limit takes a time from 0.1s to 1440m; this is '%s'", argument);
        hang_guard_limit(session->isolation.seconds);
        return 0;
    case KEY_JSON:
    case KEY_CSV:
    case KEY_MARKDOWN:
        option_form(state, key == KEY_JSON ? FORM_JSON : key == KEY_CSV ? FORM_CSV : FORM_MARKDOWN, &session->form);
        return 0;
    case KEY_FORCE:
        session->force = true;
        return 0;
    case KEY_STORE:
        session->store_name = argument;
        return 0;
    case KEY_LABEL:
        read_label(state, argument, session);
        return 0;
    case ARGP_KEY_ARG:
        add_target(state, argument, session);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options_isolation[] = {ISOLATION, {0}};

static error_t parse_isolation(int key, char *argument, struct argp_state *state)
{
    return key == ARGP_KEY_INIT ? options_hand_down(key, argument, state) : parse(key, argument, state);
}

static const struct argp measuring_argp = {.options = options, .parser = parse};
static const struct argp without_times = {.options = options_without_times, .parser = parse};
static const struct argp without_rungs = {.options = options_without_rungs, .parser = parse};
static const struct argp of_effects = {.options = options_of_effects, .parser = parse};
static const struct argp of_choice = {.options = options_of_choice, .parser = parse};
static const struct argp of_what_is_kept = {.options = options_of_what_is_kept, .parser = parse};
const struct argp_child measuring_children[] = {{&measuring_argp, 0, NULL, 0}, {0}};
static const struct argp judged = {
    .options = options_isolation, .parser = parse_isolation, .children = measuring_children};
const struct argp_child measuring_judged[] = {{&judged, 0, NULL, 0}, {0}};
const struct argp_child measuring_without_times[] = {{&without_times, 0, NULL, 0}, {0}};
const struct argp_child measuring_without_rungs[] = {{&without_rungs, 0, NULL, 0}, {0}};
const struct argp_child measuring_effects[] = {{&of_effects, 0, NULL, 0}, {0}};
static const struct argp of_tuning = {.options = options_of_tuning, .parser = parse};
const struct argp_child measuring_tuning[] = {{&of_tuning, 0, NULL, 0}, {0}};
const struct argp_child measuring_choice[] = {{&of_choice, 0, NULL, 0}, {0}};
const struct argp_child measuring_what_is_kept[] = {{&of_what_is_kept, 0, NULL, 0}, {0}};

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
    struct error line;
    int cores = omp_get_num_procs();
    if (threads > cores)
        report_error(STATUS_OK,
                     (fail(&line, STATUS_OK, "warning: %d threads on %d cores take turns; figures are worth little",
                           threads, cores),
                      &line));
}

enum status bench_session_start(struct bench_session *session, struct error *error)
{
    interrupt_install(output_end_by_signal);
    if (session->threads > omp_get_thread_limit())
        return fail(error, STATUS_INVALID, "%d threads: OMP_THREAD_LIMIT allows %d", session->threads,
                    omp_get_thread_limit());
    if (session->threads) {
        if (threads_suffice(session->threads, 0, error) != STATUS_OK)
            return STATUS_INVALID;
        threads_set(session->threads);
    }
    warn_of_threads(session->threads);
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

static bool write_form(FILE *stream, struct bench_session *session,
                       void (*print)(FILE *, const struct bench_session *, struct style))
{
    if (session->form == FORM_JSON)
        return session->write_json ? session->write_json(stream, session) : report_json(stream, &session->list);
    if (session->form == FORM_CSV)
        return session->write_csv ? session->write_csv(stream, session) : report_csv(stream, &session->list);
    if (session->form == FORM_MARKDOWN)
        return report_markdown(stream, &session->list);
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

int bench_session_end(struct bench_session *session, enum status status, struct error *error,
                      void (*print)(FILE *, const struct bench_session *, struct style))
{
    struct error why;
    enum status written = STATUS_OK;
    if (session->list.count)
        written = bench_session_write(session, print, &why);
    else
        progress_end();
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

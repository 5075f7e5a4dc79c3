/* uskor try: a user's own kernel, judged, timed, and placed on the ladder. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/commands/try_skeleton.h"
#include "cli/commands/try_watch.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "judge/judge.h"
#include "judge/user_rung.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/neighbours.h"
#include "report/terminal/report.h"

#define TRY_SECONDS 10    /* without a sign of life */
#define LOOK_SECONDS 0.01 /* of each rung, to find the user's neighbours */

struct arguments {
    struct bench_session session; /* first: where that is at hand, so is this */
    struct user_rung_options how;
    const char *skeleton; /* --new: the kernel */
    bool watches;
    const struct kernel *kernel;
    struct user_rung user;
    struct judge judge;
};

enum {
    KEY_ENTRY = 512,
    KEY_ARGS,
    KEY_GROUP,
    KEY_GROUPS,
    KEY_NEW,
    KEY_WATCH,
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, N_("A file without a header:"), 1},
    {"entry", KEY_ENTRY, N_("NAME"), 0, N_("The function (default: the one named like the KERNEL, or the only one)"),
     1},
    {"args", KEY_ARGS, N_("LIST"), 0, N_("Its arguments, e.g. 'a, b, c, int(n)' (default: by name or position)"), 1},
    {"group", KEY_GROUP, N_("SIZES"), 0, N_("Items of a group, e.g. '16, 16'"), 1},
    {"groups", KEY_GROUPS, N_("SIZES"), 0, N_("Groups, e.g. 'ceil(n / 16), ceil(m / 16)'"), 1},
    {NULL, 0, NULL, 0, N_("Work on it:"), 2},
    {"new", KEY_NEW, N_("KERNEL"), 0, N_("Write a skeleton that is right to the file of -o (.cl or .c)"), 2},
    {"watch", KEY_WATCH, NULL, 0, N_("Judge it again each time it is saved"), 2},
    {0},
};

static const char doc[] = N_(
    "Judge a kernel of your own, time it beside the ladder's, and show its place.\n\n"
    "FILE is OpenCL C (.cl), CUDA C (.cu) or C (.c). It is verified on the KERNEL's edge cases and on data that nobody "
    "can foresee, each time in a process of its own, and timed interleaved with the ladder's first and fastest rungs "
    "and the libraries. PROBLEMs are what it is timed on (default: the lab's, small ones on a CPU). Exit code 0: "
    "placed; 1: refused, with "
    "the reason; 2: wrong use, or a file that does not compile.");

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->session;
        return 0;
    case KEY_ENTRY:
        arguments->how.entry = argument;
        return 0;
    case KEY_ARGS:
        arguments->how.arguments = argument;
        return 0;
    case KEY_GROUP:
        arguments->how.group = argument;
        return 0;
    case KEY_GROUPS:
        arguments->how.groups = argument;
        return 0;
    case KEY_NEW:
        arguments->skeleton = argument;
        return 0;
    case KEY_WATCH:
        arguments->watches = true;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->skeleton && arguments->session.target_count < 2)
            refuse_use(state, "a kernel and a file are needed, such as 'uskor try transpose mine.cl'");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = options,
                                 .parser = parse,
                                 .args_doc = N_("KERNEL FILE [PROBLEM]…"),
                                 .doc = doc,
                                 .children = measuring_judged};

/* What a compiler said is shown in its own lines. */
static void tell_lines(const char *text)
{
    const char *line = say_message(text);
    fputs("uskor: ", stderr);
    while (*line) {
        char one[1024], shown[2048];
        size_t length = strcspn(line, "\n");
        snprintf(one, sizeof one, "%.*s", (int)(length < 1000 ? length : 1000), line);
        visible_copy(one, shown, sizeof shown);
        fprintf(stderr, "%s\n", shown);
        line += length + (line[length] == '\n');
    }
}

/* ---- verification --------------------------------------------------------------------------------------------- */

/* What the checks of one device have shown. */
struct tally {
    size_t passed;
    bool wrong;
    char skipped[256]; /* the last reason of a SKIP */
};

/* With fewer edge cases than these a rung is tried on squares, too. */
#define SERVED_LEAST 8

static bool is_wrong(const struct measurement *measurement)
{
    return measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR;
}

/* One problem on one device. A measurement that is wrong is kept in the session's list; others are counted. */
static enum status verify_one(struct arguments *arguments, const struct problem *problem, struct device *device,
                              struct tally *tally, struct error *error)
{
    struct measurement_list list = {0};
    enum status status = judge_check(&arguments->judge, problem, device, &arguments->user.rung, 1,
                                     &arguments->session.selection.overrides, &list, error);
    for (size_t m = 0; status == STATUS_OK && m < list.count && !tally->wrong; m++) {
        tally->passed += list.items[m].verdict == VERDICT_PASS;
        if (list.items[m].verdict == VERDICT_SKIP)
            memcpy(tally->skipped, list.items[m].reason, sizeof tally->skipped);
        if (!is_wrong(&list.items[m]))
            continue;
        tally->wrong = true;
        struct measurement *kept = measurement_list_add(&arguments->session.list);
        if (kept) {
            *kept = list.items[m];
            memset(kept->phases, 0, sizeof kept->phases);
        }
    }
    measurement_list_free(&list);
    return status;
}

/* A kernel with one size for all serves none of the edge cases: it is verified on squares and cubes. */
static enum status verify_squares(struct arguments *arguments, struct device *device, struct tally *tally,
                                  struct error *error)
{
    static const int sizes[] = {1, 2, 3, 17, 32, 33, 64, 100, 129};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && !tally->wrong && i < COUNT_OF(sizes); i++) {
        char text[PROBLEM_TEXT_MAX];
        struct problem problem;
        snprintf(text, sizeof text, "%s:%d", arguments->kernel->name, sizes[i]);
        status = problem_parse(text, &problem, error);
        problem.type = arguments->user.type;
        if (status == STATUS_OK)
            status = verify_one(arguments, &problem, device, tally, error);
    }
    return status;
}

/* All edge cases on one device, until one is wrong. */
static enum status verify(struct arguments *arguments, struct device *device, bool *is_right, struct error *error)
{
    struct problem *problems;
    struct tally tally = {0};
    size_t count;
    char text[PROBLEM_TEXT_MAX];
    enum status status = check_problems(arguments->kernel, CHECK_SMALL, device, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && !tally.wrong && i < count; i++) {
        if (arguments->user.compiler[0] && problems[i].type != arguments->user.type)
            continue;
        bench_session_progress(NULL, problem_text(&problems[i], text), (double)i / (double)count);
        status = verify_one(arguments, &problems[i], device, &tally, error);
    }
    free(problems);
    if (status == STATUS_OK && !tally.wrong && tally.passed < SERVED_LEAST && arguments->kernel->shape)
        status = verify_squares(arguments, device, &tally, error);
    if (status == STATUS_OK && !tally.wrong && !tally.passed)
        return fail(error, STATUS_FAILED, "%s on %s: it serves no problem that it could be verified on: %s",
                    arguments->user.rung->name, device->id, tally.skipped);
    size_t passed = tally.passed;
    *is_right = !tally.wrong;
    if (status == STATUS_OK && *is_right)
        fprintf(stderr, tr("%s on %s: right on %zu edge cases, and on inputs that nobody can foresee\n"),
                arguments->user.rung->name, device->id, passed);
    return status;
}

/* ---- its place ------------------------------------------------------------------------------------------------ */

static enum status bench(struct arguments *arguments, const struct problem *problem, struct device *device,
                         struct error *error)
{
    struct bench_session *session = &arguments->session;
    const struct child_limits limits = arguments->judge.limits;
    struct selection one = session->selection;
    struct candidate *all, chosen[NEIGHBOURS_MOST];
    struct measurement_list look = {0};
    size_t count;
    one.devices[0] = device;
    one.device_count = 1;
    enum status status = selection_candidates(&one, problem, &all, &count, error);
    if (status != STATUS_OK)
        return status;
    status = memory_need_check(problem, all, count, 0, error);
    struct bench_options quick = session->options;
    quick.seconds = LOOK_SECONDS;
    quick.end_to_end = quick.probe_ceilings = false;
    quick.finished = NULL;
    if (status == STATUS_OK)
        status = judge_bench(&limits, problem, all, count, &quick, &look, error);
    size_t made = status == STATUS_OK ? neighbours_choose(arguments->user.rung, &look, all, count, chosen) : 0;
    measurement_list_free(&look);
    free(all);
    if (status == STATUS_OK)
        status = judge_bench(&limits, problem, chosen, made, &session->options, &session->list, error);
    return status;
}

static enum status bench_on(struct arguments *arguments, struct device *device, struct error *error)
{
    struct bench_session *session = &arguments->session;
    const struct kernel *kernel = arguments->kernel;
    /* Small where a CPU computes: a trial takes seconds. */
    const char *usual =
        device->properties.is_cpu && kernel->cpu_opencl_bench ? kernel->cpu_opencl_bench : kernel->bench;
    enum status status = STATUS_OK;
    for (size_t t = 2; status == STATUS_OK && (t < session->target_count || t == 2); t++) {
        struct problem *problems;
        size_t count;
        status = problem_parse_range(t < session->target_count ? session->targets[t] : usual, &problems, &count, error);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = problems[i].kernel == kernel
                         ? bench(arguments, &problems[i], device, error)
                         : fail(error, STATUS_INVALID, "%s is no problem of %s", session->targets[t], kernel->name);
        free(problems);
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

/* For the first problem that it serves. */
static enum status compile(struct arguments *arguments, struct device *device, struct error *error)
{
    char texts[2][PROBLEM_TEXT_MAX];
    struct problem problem = problem_default(arguments->kernel);
    enum status status = STATUS_UNAVAILABLE;
    snprintf(texts[0], sizeof texts[0], "%s", arguments->kernel->bench);
    snprintf(texts[1], sizeof texts[1], "%s:33", arguments->kernel->name);
    for (size_t i = 0; status == STATUS_UNAVAILABLE && i < 2; i++) {
        status = problem_parse(texts[i], &problem, error);
        problem.type = arguments->user.type;
        if (status == STATUS_OK)
            status = judge_compile(&arguments->judge.limits, &problem, device, arguments->user.rung->name, error);
    }
    return status == STATUS_UNAVAILABLE ? STATUS_OK : status; /* the check says what it cannot serve */
}

static enum status try_on(struct arguments *arguments, struct device *device, struct error *error)
{
    bool is_right = false;
    enum status status = compile(arguments, device, error);
    if (status == STATUS_OK)
        status = verify(arguments, device, &is_right, error);
    return status == STATUS_OK && is_right ? bench_on(arguments, device, error) : status;
}

static enum status try_all(struct arguments *arguments, struct error *error)
{
    const struct selection *selection = &arguments->session.selection;
    bool ran = false;
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++) {
        struct device *device = selection->devices[d];
        if (!(arguments->user.rung->backends & device->backend->kind) || device_is_null(device))
            continue;
        ran = true;
        status = try_on(arguments, device, error);
    }
    if (status == STATUS_OK && !ran)
        status =
            fail(error, STATUS_UNAVAILABLE, "no device here runs %s; 'uskor devices' lists them", arguments->user.path);
    return status;
}

/* One line for each problem and device: where the user's rung is. */
static void print_places(FILE *stream, const struct arguments *arguments)
{
    const struct measurement_list *list = &arguments->session.list;
    const char *name = arguments->user.rung->name;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *mine = &list->items[i], *best = NULL;
        size_t place = 1, of = 1;
        double time = measurement_summary(mine, PHASE_COMPUTE).median, best_time = 0;
        if (strcmp(mine->rung, name) != 0 || mine->verdict != VERDICT_PASS || time <= 0)
            continue;
        for (size_t j = 0; j < list->count; j++) {
            const struct measurement *other = &list->items[j];
            double others = measurement_summary(other, PHASE_COMPUTE).median;
            if (other == mine || other->kind == MEASURED_PROBE || other->verdict != VERDICT_PASS || others <= 0 ||
                strcmp(other->problem, mine->problem) != 0 || strcmp(other->device, mine->device) != 0)
                continue;
            of++;
            place += others < time;
            if (!best || others < best_time)
                best = other, best_time = others;
        }
        fprintf(stream, tr("%s on %s: place %zu of %zu"), name, mine->device, place, of);
        if (best)
            fprintf(stream, tr(", %.2f × the time of %s"), time / best_time, best->rung);
        fputc('\n', stream);
    }
}

static void print_try(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct arguments *arguments = (const struct arguments *)session;
    report_tables(stream, &session->list, style);
    fputc('\n', stream);
    print_places(stream, arguments);
}

static enum status read_file(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    arguments->kernel = kernel_by_name(session->targets[0], error);
    if (!arguments->kernel)
        return STATUS_INVALID;
    struct problem problem = problem_default(arguments->kernel);
    enum status status = session->target_count > 2 && strchr(session->targets[2], '.') == NULL
                             ? problem_parse(session->targets[2], &problem, error)
                             : STATUS_OK;
    if (status == STATUS_OK)
        status = user_rung_read(arguments->kernel, session->targets[1], problem.type, &arguments->how, &arguments->user,
                                error);
    if (status == STATUS_OK && arguments->user.compiler[0] && !session->selection.device_name_count)
        status = selection_add_device(&session->selection, "cpu", error);
    if (status == STATUS_OK && arguments->user.compiler[0])
        fprintf(stderr, tr("compiled: %s\n"), arguments->user.compiler);
    if (status == STATUS_OK && arguments->user.assumed[0])
        tell("uskor", arguments->user.assumed);
    return status;
}

int cmd_try(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    struct bench_session *session = &arguments.session;
    bench_session_init(session);
    session->targets_most = SELECTION_MAX;
    options_parse(&argp, argc, argv, &arguments);
    if (arguments.skeleton)
        return try_skeleton(arguments.skeleton, session->output, session->force);
    if (arguments.watches)
        return try_watch(session->targets[1], argv);
    enum status status = read_file(&arguments, &error);
    if (status != STATUS_OK) {
        tell_lines(error.text);
        return exit_code_for(status);
    }
    arguments.judge.limits.seconds = session->isolation.seconds > 0 ? session->isolation.seconds : TRY_SECONDS;
    status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = try_all(&arguments, &error);
    judge_close(&arguments.judge);
    if (status == STATUS_INVALID && !session->list.count) {
        bench_session_progress_end();
        tell_lines(error.text);
        bench_session_end(session, STATUS_OK, &error, print_try); /* nothing is to be written */
        return EXIT_USE;
    }
    return bench_session_end(session, status, &error, print_try);
}

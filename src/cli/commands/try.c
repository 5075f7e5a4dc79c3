/* uskor try: a user's own kernel is verified, timed, and compared with the ladder. */
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/language.h"
#include "base/own_program.h"
#include "base/size.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/try_job.h"
#include "cli/options/options.h"
#include "kernels/rung_header.h"
#include "lab/bench/interrupt.h"

/* uskor try --watch. */

#define LOOK_NS 200000000
#define INCLUDES_DEEP 4
#define INCLUDES_MOST 64

/* Long options may be shortened as far as they are unique: a child that watched, too, would start another one. */
static bool is_watch(const char *argument)
{
    size_t length = strlen(argument);
    return length >= strlen("--w") && strncmp(argument, "--watch", length) == 0;
}

static int run_once(char **argv)
{
    char program[] = "uskor", command[] = "try", language[] = "--lang";
    char code[8];
    size_t count = 0;
    pid_t child;
    int status;
    while (argv[count])
        count++;
    char **arguments = calloc(count + 5, sizeof *arguments);
    if (!arguments)
        return EXIT_NOTHING;
    snprintf(code, sizeof code, "%s", language_code(language_now()));
    char *const first[] = {program, language, code, command};
    memcpy(arguments, first, sizeof first);
    count = COUNT_OF(first);
    for (size_t i = 1; argv[i]; i++) /* argv[0] is "uskor try" */
        if (!is_watch(argv[i]))
            arguments[count++] = argv[i];
    int problem = posix_spawn(&child, own_program(), NULL, NULL, arguments, environ);
    free(arguments);
    if (problem != 0)
        return EXIT_USE;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_WRONG;
}

/* ---- whether it changed --------------------------------------------------------------------------------------- */

struct looking {
    uint64_t state; /* 0: nothing is there */
    int files;      /* that were looked at */
};

static void look(const char *path, int depth, struct looking *looking);

/* The files that lie beside it and that it includes: a change of theirs is a change of it. */
static void look_at_includes(const char *path, FILE *file, int depth, struct looking *looking)
{
    const char *slash = strrchr(path, '/');
    char line[512], name[256], beside[1024];
    while (fgets(line, sizeof line, file))
        if (sscanf(line, " # include \"%255[^\"]\"", name) == 1) {
            snprintf(beside, sizeof beside, "%.*s%s", slash && name[0] != '/' ? (int)(slash + 1 - path) : 0, path,
                     name);
            look(beside, depth + 1, looking);
        }
}

static void look(const char *path, int depth, struct looking *looking)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0)
        return;
    const uint64_t parts[] = {(uint64_t)facts.st_mtim.tv_sec, (uint64_t)facts.st_mtim.tv_nsec, (uint64_t)facts.st_size,
                              (uint64_t)facts.st_ino};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        looking->state = (looking->state ^ parts[i]) * 0x100000001b3u; /* FNV-1a */
    FILE *file = depth < INCLUDES_DEEP && looking->files++ < INCLUDES_MOST ? fopen(path, "re") : NULL;
    if (file) {
        look_at_includes(path, file, depth, looking);
        fclose(file);
    }
}

/* 0: there is no such file, or nothing in it, as while an editor replaces it. */
static uint64_t state_of(const char *path)
{
    struct looking looking = {0};
    look(path, 0, &looking);
    return looking.state;
}

/* Runs this command anew, without --watch, each time the file changes, until Ctrl-C. Returns the last exit code. */
static int try_watch(const char *path, char **argv)
{
    struct stat facts;
    interrupt_install(NULL);
    if (stat(path, &facts) != 0) {
        struct error error;
        return report_error(fail(&error, STATUS_INVALID, "%s: cannot be opened: %s", path, strerror(errno)), &error);
    }
    int code = EXIT_DONE;
    uint64_t judged = 0, before = state_of(path);
    while (!interrupt_requested()) {
        uint64_t now = state_of(path);
        bool is_still = now == before; /* an editor may empty the file first, and write it then */
        before = now;
        if (now && now != judged && is_still) {
            judged = now;
            code = run_once(argv);
            if (!interrupt_requested())
                fprintf(stderr, tr("exit code %d; waiting for %s to change (Ctrl-C ends)\n"), code, path);
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return code;
}

#define TRY_SECONDS 10 /* without any progress */

static const char doc[] =
    N_("Judge a kernel of your own, time it beside the ladder's, and show its place.\n\nFILE is OpenCL "
       "C (.cl), CUDA C (.cu) or C (.c). It is verified on the KERNEL's edge cases and on "
       "unpredictable data, each time in a process of its own. It is timed interleaved with the "
       "ladder's first and fastest rungs and the libraries. PROBLEMs are what it is timed on (default: "
       "the lab's, small ones on a CPU). Exit code 0: placed; 1: refused, with the reason; 2: wrong "
       "use, or a file that does not compile.");

static void check_usage(void *input, const struct options_state *state)
{
    struct try_job *job = input;
    if (!job->skeleton && job->session.target_count < 2)
        refuse_use(state, "a kernel and a file are needed, such as 'uskor try transpose mine.cl'");
    if (job->is_simple && !job->skeleton)
        refuse_use(state, "--simple needs --new KERNEL");
}

static const struct option options[] = {
    {.doc = N_("A file without a header:")},
    {"entry", 0, N_("NAME"), N_("The function (default: the one named like the KERNEL, or the only one)"),
     SETS_TEXT(struct try_job, how.entry)},
    {"args", 0, N_("LIST"), N_("Its arguments, e.g. 'a, b, c, int(n)' (default: by name or position)"),
     SETS_TEXT(struct try_job, how.arguments)},
    {"group", 0, N_("SIZES"), N_("Items of a group, e.g. '16, 16'"), SETS_TEXT(struct try_job, how.group)},
    {"groups", 0, N_("SIZES"), N_("Groups, e.g. 'ceil(n / 16), ceil(m / 16)'"), SETS_TEXT(struct try_job, how.groups)},
    {.doc = N_("Work on it:")},
    {"new", 0, N_("KERNEL"), N_("Write a skeleton that is right to the file of -o (.cl, .cu or .c)"),
     SETS_TEXT(struct try_job, skeleton)},
    {"simple", 0, NULL, N_("With --new: one of squares of floats, such as A, B, C, N (matmul, transpose)"),
     SETS_FLAG(struct try_job, is_simple)},
    {"beside", 0, N_("RUNG"), N_("Time it beside this rung only (more than once: these), not beside its neighbours"),
     READ_INTO(struct try_job, beside, selection_read_rung)},
    {"watch", 0, NULL, N_("Judge it again each time it is saved"), SETS_FLAG(struct try_job, watches)},
    {"verified", 0, NULL, NULL, SETS_FLAG(struct try_job, is_verified)},
    {"races", 0, NULL, NULL, SETS_FLAG(struct try_job, searches)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = N_("KERNEL FILE [PROBLEM]…"),
    .doc = doc,
    .shared = &measuring_judged,
    .shared_at = offsetof(struct try_job, session),
};

/* ---- the whole ------------------------------------------------------------------------------------------------ */

/* Compiles the file for the first problem that it serves. */
static enum status compile(struct try_job *job, struct device *device, struct error *error)
{
    char texts[2][PROBLEM_TEXT_MAX];
    struct problem problem = problem_default(job->kernel);
    enum status status = STATUS_UNAVAILABLE;
    snprintf(texts[0], sizeof texts[0], "%s", job->kernel->bench);
    snprintf(texts[1], sizeof texts[1], "%s:33", job->kernel->name);
    for (size_t i = 0; status == STATUS_UNAVAILABLE && i < 2; i++) {
        status = problem_parse(texts[i], &problem, error);
        problem.type = job->user.type;
        if (status == STATUS_OK)
            status = judge_compile(&job->judge, &problem, device, job->user.rung->name, error);
    }
    return status == STATUS_UNAVAILABLE ? STATUS_OK : status; /* the check reports unserved problems */
}

static enum status try_on(struct try_job *job, struct device *device, struct error *error)
{
    bool is_right = job->is_verified;
    enum status status = STATUS_OK;
    job->user.type = try_type(job, device);
    if (!is_right) { /* else an earlier trial has compiled all of it: no driver starts for that once more */
        try_ahead_start(job, device);
        status = compile(job, device, error);
    }
    if (status == STATUS_OK && is_right)
        fprintf(stderr, tr("%s on %s: neither verified on edge cases nor searched for races (--verified)\n"),
                job->user.rung->name, device->id);
    if (status == STATUS_OK && !is_right)
        status = try_verify(job, device, &is_right, error);
    if (status == STATUS_OK && is_right)
        status = try_bench(job, device, error);
    try_ahead_stop(job);
    return status;
}

/* A file that can solve none of the timed problems has no place on the ladder. */
static enum status require_place(const struct try_job *job, struct error *error)
{
    const struct measurement *skipped = NULL;
    for (size_t i = 0; i < job->session.list.count; i++) {
        const struct measurement *one = &job->session.list.items[i];
        if (strcmp(one->rung, job->user.rung->name) != 0)
            continue;
        if (one->verdict != VERDICT_SKIP)
            return STATUS_OK;
        skipped = one;
    }
    struct problem problem;
    if (!skipped)
        return STATUS_OK;
    if (problem_parse(skipped->problem, &problem, error) == STATUS_OK &&
        problem_field_refused(&problem, job->user.rung->takes))
        return fail(error, STATUS_FAILED,
                    "%s was neither tried nor timed on %s: %s; a file that can do it says so in its header, such as "
                    "'// takes: f16 bf16'",
                    job->user.rung->name, skipped->problem, skipped->reason);
    return fail(error, STATUS_FAILED, "%s was neither tried nor timed on %s: %s; name a PROBLEM that it serves",
                job->user.rung->name, skipped->problem, skipped->reason);
}

/* Of a file in CUDA C where no device runs it: fails when it does not compile for any. */
static enum status compile_for_none(struct try_job *job, struct error *error)
{
    const struct rung *rung = job->user.rung;
    const struct problem problem = problem_default(job->kernel);
    if (!rung->source || rung->source->language != LANGUAGE_CUDA_C)
        return STATUS_OK;
    enum status status = judge_compile(&job->judge, &problem, NULL, rung->name, error);
    return status == STATUS_UNAVAILABLE ? STATUS_OK : status;
}

static enum status try_all(struct try_job *job, struct error *error)
{
    const struct selection *selection = &job->session.selection;
    bool ran = false;
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++) {
        struct device *device = selection->devices[d];
        if (!(job->user.rung->backends & device->backend->kind) || device_is_null(device))
            continue;
        ran = true;
        status = try_on(job, device, error);
    }
    if (status == STATUS_OK && !ran)
        status = compile_for_none(job, error);
    if (status == STATUS_OK && !ran)
        status = fail(error, STATUS_UNAVAILABLE, "no device here runs %s; 'uskor devices' lists them", job->user.path);
    return status == STATUS_OK ? require_place(job, error) : status;
}

static enum status read_file(struct try_job *job, struct error *error)
{
    struct bench_session *session = &job->session;
    job->kernel = kernel_by_name(session->targets[0], error);
    if (!job->kernel)
        return STATUS_INVALID;
    struct problem problem = problem_default(job->kernel);
    enum status status = session->target_count > 2 && strchr(session->targets[2], '.') == NULL
                             ? problem_parse(session->targets[2], &problem, error)
                             : STATUS_OK;
    if (status == STATUS_OK)
        status = user_rung_read(job->kernel, session->targets[1], problem.type, &job->how, &job->user, error);
    if (status == STATUS_OK && job->user.compiler[0] && !session->selection.device_name_count)
        status = selection_add_device(&session->selection, "cpu", error);
    if (status == STATUS_OK && job->user.compiler[0])
        fprintf(stderr, tr("compiled: %s\n"), job->user.compiler);
    if (status == STATUS_OK && job->user.assumed[0])
        tell("uskor", job->user.assumed);
    return status;
}

/* Before anything is verified: the problems are the kernel's, and it has the rungs to time the file beside. */
static enum status check_wish(const struct try_job *job, struct error *error)
{
    const struct bench_session *session = &job->session;
    enum status status = selection_fits(&job->beside, job->kernel, error);
    for (size_t t = 2; status == STATUS_OK && t < session->target_count; t++) {
        struct problem *problems;
        size_t count;
        status = problem_parse_range(session->targets[t], &problems, &count, error);
        if (status != STATUS_OK)
            break;
        if (problems[0].kernel != job->kernel)
            status = fail(error, STATUS_INVALID, "%s is no problem of %s", session->targets[t], job->kernel->name);
        free(problems);
    }
    return status;
}

int cmd_try(int argc, char **argv)
{
    struct try_job job = {0};
    struct error error;
    struct bench_session *session = &job.session;
    bench_session_init(session);
    session->targets_most = TARGETS_MOST;
    session->options.seconds = 0; /* try_options has the default */
    options_parse(&usage, argc, argv, &job);
    if (job.skeleton)
        return try_skeleton(job.skeleton, session->output, job.is_simple, session->force);
    if (job.watches)
        return try_watch(session->targets[1], argv);
    enum status status = read_file(&job, &error);
    if (status == STATUS_OK)
        status = check_wish(&job, &error);
    if (status != STATUS_OK) {
        tell_lines("uskor", error.text);
        return exit_code_for(status);
    }
    if (job.searches)
        return try_races_search(&job);
    job.judge.limits.seconds = session->isolation.seconds > 0 ? session->isolation.seconds : TRY_SECONDS;
    job.judge.limits.libraries_rest = true; /* each round waits until they rest */
    status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = try_all(&job, &error);
    judge_close(&job.judge);
    if (status == STATUS_INVALID && !session->list.count) {
        progress_end();
        tell_lines("uskor", error.text);
        bench_session_end(session, STATUS_OK, &error, try_print); /* nothing is stored */
        return EXIT_USE;
    }
    int code = bench_session_end(session, status, &error, try_print);
    try_advice_end(&job);
    try_races_end(&job);
    return code;
}

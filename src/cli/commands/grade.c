/* uskor grade: many students' files, judged one after the other, unattended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/backend.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/commands/grade_job.h"
#include "cli/options/isolation.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "cli/options/store_options.h"
#include "lab/bench/interrupt.h"
#include "report/terminal/cells.h"
#include "report/terminal/progress.h"
#include "version.h"
#include "walls/standing.h"

#define LIMIT_USUAL "10s"
#define PATIENCE_USUAL 1800 /* s */

struct arguments {
    const char *folder, *students, *output, *page, *moodle, *gradescope;
    bool force, continues, checks;
    bool is_unwritten; /* the last attempt to write the grades so far failed */
    double patience;   /* s */
    struct grade_job job;
};

static void read_limit(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    double seconds;
    if (!isolation_read_limit(argument, &seconds))
        refuse_use(state, "--limit takes a time such as 30s or 2m, not '%s'", argument);
    arguments->job.limit = argument;
}

static void read_wait(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    double seconds;
    if (strcmp(argument, "0") == 0)
        seconds = 0;
    else if (!isolation_read_limit(argument, &seconds))
        refuse_use(state, "--wait takes a time such as 30s or 2m, or 0, not '%s'", argument);
    arguments->patience = seconds;
}

static void read_continue(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    (void)argument, (void)state;
    arguments->continues = arguments->force = true;
}

static void read_student(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    struct grade_job *job = &arguments->job;
    if (job->asked_count == GRADE_ASKED_MOST)
        refuse_use(state, "at most %d times --student", GRADE_ASKED_MOST);
    job->asked[job->asked_count++] = argument;
    read_continue(input, argument, state);
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!arguments->checks && (!arguments->folder || !arguments->students))
        refuse_use(state, "an exercise and submissions are needed: uskor grade hw1/ --students submissions/");
    if (arguments->job.asked_count && !arguments->output)
        refuse_use(state, "--student needs the file of the other grades: -o grades.csv");
    if (arguments->continues && !arguments->output)
        refuse_use(state, "--continue needs the file of the grades so far: -o grades.csv");
}

static const struct option options[] = {
    {"students", 0, N_("FOLDER"), N_("The submissions: a file each, or a folder with one"),
     SETS_TEXT(struct arguments, students)},
    {"device", 'd', N_("DEVICE"), N_("Judge there (default: the first GPU, else OpenCL on the CPU; C: cpu)"),
     SETS_TEXT(struct arguments, job.device)},
    {"problem", 0, N_("PROBLEM"), N_("Time this problem instead of the exercise's"),
     SETS_TEXT(struct arguments, job.problem)},
    {"limit", 0, N_("TIME"), N_("End a file that gives no sign of life for so long, e.g. 30s (10s)"),
     READ_BY(read_limit)},
    {"wait", 0, N_("TIME"),
     N_("On the CPU, wait so long in all until other programs are quiet (30m); 0: do not wait; grades may "
        "then be unreliable"),
     READ_BY(read_wait)},
    {"output", 'o', N_("FILE"), N_("Write the grades as CSV"), SETS_TEXT(struct arguments, output)},
    {"html", 0, N_("FILE"), N_("Write the ranking as a page (default with -o: the same name, .html)"),
     SETS_TEXT(struct arguments, page)},
    {"continue", 0, NULL, N_("Keep the grades of the same files that -o's FILE has, and judge the others"),
     READ_BY(read_continue)},
    {"student", 0, N_("NAME"),
     N_("Judge this one again, alone, and keep the other grades of -o's FILE (more than once: these)"),
     READ_BY(read_student)},
    {"due", 0, N_("DATE"),
     N_("Mark files that were changed later: 2026-11-21, '2026-11-21 23:59', or 12h, 7d, 4w before now"),
     READ_INTO(struct arguments, job.due, option_moment)},
    {"moodle", 0, N_("FILE"), N_("Write a grading worksheet for Moodle"), SETS_TEXT(struct arguments, moodle)},
    {"gradescope", 0, N_("FOLDER"), N_("Write each student's results.json of a Gradescope autograder there"),
     SETS_TEXT(struct arguments, gradescope)},
    {"force", 0, NULL, N_("Replace files that are there"), SETS_FLAG(struct arguments, force)},
    {"check", 0, NULL, N_("Show which walls around students' files stand on this machine"),
     SETS_FLAG(struct arguments, checks)},
    {0},
};

static const struct usage usage = {
    .options = options,
    TAKES_ONE(struct arguments, folder, N_("one exercise at a time")),
    .check = check_usage,
    .args_doc = N_("EXERCISE-FOLDER"),
    .doc = N_("Judge many students' files, unattended and offline, each in a process of its own.\n\nFor "
              "example:\n\n "
              " uskor grade hw1/ --students submissions/ -o grades.csv\n\nA row of the CSV names the student, "
              "the file's hash, the verdict, the points, the machine and versions. It also names the fastest "
              "rung of the exercise that the file equals. On OpenCL on a CPU only correctness is graded. Exit "
              "code 0: all were judged, whatever their grades; 1: some were not judged, and have no points."),
};

/* The device, and whether its times mean anything for the exercise. */
static enum status choose_device(struct grade_job *job, struct error *error)
{
    const struct exercise *exercise = job->exercise;
    const char *const usual[] = {exercise->on_cpu ? "cpu" : "cuda:0", exercise->on_cpu ? NULL : "opencl:0"};
    struct device *device = NULL;
    enum status status = STATUS_UNAVAILABLE;
    if (job->device)
        status = device_open(job->device, &device, error);
    for (size_t i = 0; !device && !job->device && i < 2 && usual[i]; i++)
        if ((status = device_open(usual[i], &device, error)) == STATUS_OK)
            job->device = usual[i];
    if (!device)
        return status;
    bool is_cpu = device->properties.is_cpu;
    bool is_host = device->backend->kind == BACKEND_CPU;
    visible_copy(device->properties.name, job->device_name, sizeof job->device_name);
    snprintf(job->version, sizeof job->version, "%s", USKOR_CODE_VERSION);
    device_close(device);
    if (is_host != exercise->on_cpu)
        return fail(error, STATUS_INVALID, "%s is not judged on %s", exercise->name, job->device);
    job->speed_counts = is_host || !is_cpu;
    job->out_of = EXERCISE_POINTS_RIGHT + (job->speed_counts ? EXERCISE_POINTS_SPEED : 0);
    if (!job->problem)
        job->problem = is_cpu && exercise->cpu_problem ? exercise->cpu_problem : exercise->problem;
    return STATUS_OK;
}

static enum status write_csv(FILE *stream, void *context, struct error *error)
{
    (void)error;
    grade_write_csv(stream, context);
    return STATUS_OK;
}

static enum status write_html(FILE *stream, void *context, struct error *error)
{
    (void)error;
    grade_write_html(stream, context);
    return STATUS_OK;
}

static enum status write_moodle(FILE *stream, void *context, struct error *error)
{
    (void)error;
    grade_write_moodle(stream, context);
    return STATUS_OK;
}

/* "grades.html" beside "grades.csv". */
static const char *page_beside(const char *output, char path[EXERCISE_PATH_MAX])
{
    size_t length = strlen(output);
    length -= length > 4 && strcmp(output + length - 4, ".csv") == 0 ? 4 : 0;
    int written = snprintf(path, EXERCISE_PATH_MAX, "%.*s.html", (int)length, output);
    return written < EXERCISE_PATH_MAX ? path : NULL;
}

static enum status write_all(const struct arguments *arguments, struct error *error)
{
    char beside[EXERCISE_PATH_MAX];
    const struct grade_job *job = &arguments->job;
    const char *page = arguments->page || !arguments->output ? arguments->page : page_beside(arguments->output, beside);
    grade_write_text(stdout, job);
    enum status status = STATUS_OK;
    if (arguments->output)
        status = result_write(arguments->output, true, write_csv, (void *)job, error); /* its own, after each file */
    if (status == STATUS_OK && page)
        status = result_write(page, arguments->force, write_html, (void *)job, error);
    if (status == STATUS_OK && arguments->moodle)
        status = result_write(arguments->moodle, arguments->force, write_moodle, (void *)job, error);
    if (status == STATUS_OK && arguments->gradescope)
        status = grade_write_gradescope(job, arguments->gradescope, arguments->force, error);
    return status;
}

/* After each file, so that a grading that ends in any way has lost one file's work at most. A disk that is full, or a
 * folder that somebody has closed, costs no other file its judgement. */
static void keep(struct arguments *arguments)
{
    struct error error;
    if (!arguments->output ||
        result_write(arguments->output, true, write_csv, (void *)&arguments->job, &error) == STATUS_OK) {
        arguments->is_unwritten = false;
        return;
    }
    if (!arguments->is_unwritten)
        fprintf(stderr, tr("uskor: %s; the grading goes on, and tries again after each file\n"),
                say_message(error.text));
    arguments->is_unwritten = true;
}

/* Where the grades could not be written they are kept elsewhere. */
static void keep_elsewhere(const struct grade_job *job)
{
    char path[] = "/tmp/uskor-grades-XXXXXX.csv";
    const int file = mkstemps(path, 4);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (stream) {
        grade_write_csv(stream, job);
        if (fclose(stream) == 0)
            fprintf(stderr, tr("the grades are kept in %s\n"), path);
    }
}

/* Every --student is one. */
static enum status check_asked(const struct grade_job *job, struct error *error)
{
    enum status status = STATUS_OK;
    const char **names = calloc(job->count + 1, sizeof *names); /* NOLINT(bugprone-sizeof-expression): of pointers */
    for (size_t i = 0; names && i < job->count; i++)
        names[i] = job->submissions[i].student;
    for (size_t i = 0; status == STATUS_OK && i < job->asked_count; i++) {
        bool is_there = !names;
        for (size_t j = 0; j < job->count; j++)
            is_there = is_there || strcmp(names[j], job->asked[i]) == 0;
        const char *closest = is_there ? NULL : text_closest(job->asked[i], names, job->count);
        if (!is_there)
            status = closest ? fail(error, STATUS_INVALID, "there is no submission of '%s'; did you mean '%s'?",
                                    job->asked[i], closest)
                             : fail(error, STATUS_INVALID, "there is no submission of '%s'", job->asked[i]);
    }
    free(names);
    return status;
}

/* The skeleton beside the exercise's text, which all have in common; NULL: it is not there. */
static const char *skeleton_of(const struct arguments *arguments, char path[EXERCISE_PATH_MAX])
{
    const struct exercise *exercise = arguments->job.exercise;
    struct error unused;
    char name[64];
    snprintf(name, sizeof name, "%s%s", exercise->kernel, exercise->ending);
    return exercise_path(arguments->folder, name, path, &unused) == STATUS_OK && access(path, R_OK) == 0 ? path : NULL;
}

/* What is known of all files before the first is judged: hashes, copies, likeness. */
static void compare_all(const struct arguments *arguments, struct grade_job *job)
{
    char path[EXERCISE_PATH_MAX];
    for (size_t i = 0; i < job->count; i++) {
        job->submissions[i].same_as = i;
        if (!job->submissions[i].is_judged)
            grade_read_hash(&job->submissions[i]);
        grade_name_twin(job, &job->submissions[i]);
    }
    grade_find_alike(job, skeleton_of(arguments, path));
}

static enum status judge_all(struct arguments *arguments, struct error *error)
{
    struct grade_job *job = &arguments->job;
    size_t taken = 0;
    enum status status = check_asked(job, error);
    if (status != STATUS_OK)
        return status;
    if (job->others[0])
        fprintf(stderr, tr("no submissions, as they do not end in .cl, .cu or .c: %s\n"), job->others);
    compare_all(arguments, job);
    if (arguments->continues)
        status = grade_continue(job, arguments->output, &taken, error);
    if (status == STATUS_OK && taken)
        fprintf(stderr, tr("%zu of %zu were judged before: %s\n"), taken, job->count, arguments->output);
    for (size_t i = 0; status == STATUS_OK && i < job->count; i++) {
        struct submission *one = &job->submissions[i];
        if (one->is_judged || !grade_is_wanted(job, one))
            continue;
        fprintf(stderr, tr("%zu of %zu: %s\n"), i + 1, job->count, one->student);
        status = grade_judge(job, one, error);
        if (status == STATUS_OK)
            keep(arguments);
    }
    return status;
}

/* Of all whose turn has come. */
static size_t count_not_judged(const struct grade_job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->count; i++)
        count += job->submissions[i].is_judged && job->submissions[i].verdict == GRADE_NOT_JUDGED;
    return count;
}

static size_t count_judged(const struct grade_job *job)
{
    size_t judged = 0;
    for (size_t i = 0; i < job->count; i++)
        judged += job->submissions[i].is_judged;
    return judged;
}

/* Prints progress and the command that resumes. */
static void tell_progress(const struct arguments *arguments)
{
    const struct grade_job *job = &arguments->job;
    fprintf(stderr, tr("%zu of %zu are judged. "), count_judged(job), job->count);
    if (arguments->output)
        fprintf(stderr, tr("The same command with --continue judges the others.\n"));
    else
        fprintf(stderr, tr("With -o grades.csv --continue would judge the others later.\n"));
}

/* A target that could not be written is known before an hour's work. */
static enum status check_target(const char *path, bool force, struct error *error)
{
    struct result result = {0};
    enum status status = path ? result_open(path, force, &result, error) : STATUS_OK;
    if (path && status == STATUS_OK)
        result_close(&result, STATUS_INTERRUPTED, error);
    return status;
}

/* Exit code 1 where one is missing. */
static int check_walls(void)
{
    struct wall walls[WALLS_MOST];
    const size_t count = walls_standing(walls);
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        column_left(stdout, walls[i].stands ? tr("stands") : tr("missing"), 12);
        column_left(stdout, tr(walls[i].name), 52);
        printf("%s\n", walls[i].means);
        if (!walls[i].stands)
            printf("            %s\n", tr(walls[i].missing));
        all = all && walls[i].stands;
    }
    return said_all(all ? EXIT_DONE : EXIT_WRONG);
}

int cmd_grade(int argc, char **argv)
{
    struct arguments arguments = {.patience = PATIENCE_USUAL, .job = {.limit = LIMIT_USUAL}};
    struct grade_job *job = &arguments.job;
    struct error error, unwritten;
    options_parse(&usage, argc, argv, &arguments);
    if (arguments.checks)
        return check_walls();
    interrupt_install(NULL);
    enum status status = exercise_of_folder(arguments.folder, &job->exercise, &error);
    if (status == STATUS_OK)
        status = check_target(arguments.output, arguments.force, &error);
    if (status == STATUS_OK)
        status = check_target(arguments.page, arguments.force, &error);
    if (status == STATUS_OK)
        status = check_target(arguments.moodle, arguments.force, &error);
    if (status == STATUS_OK && arguments.gradescope && access(arguments.gradescope, W_OK | X_OK) != 0)
        status = fail(&error, STATUS_INVALID, "%s: is not a folder to write to", arguments.gradescope);
    if (status == STATUS_OK)
        status = grade_find(job, arguments.students, &error);
    if (status == STATUS_OK)
        status = choose_device(job, &error);
    bool is_ready = status == STATUS_OK;
    job->patience = (int64_t)(arguments.patience * 1e9);
    job->waits = job->speed_counts && job->exercise->on_cpu && job->patience > 0;
    if (is_ready) {
        progress_begin();
        status = judge_all(&arguments, &error);
        progress_end();
    }
    is_ready = is_ready && (status == STATUS_OK || status == STATUS_INTERRUPTED || status == STATUS_SYSTEM);
    if (is_ready && status != STATUS_OK)
        tell_progress(&arguments);
    enum status written = is_ready && count_judged(job) ? write_all(&arguments, &unwritten) : STATUS_OK;
    if (written != STATUS_OK)
        keep_elsewhere(job);
    const size_t not_judged = count_not_judged(job);
    for (size_t i = 0; i < job->count; i++)
        prints_free(&job->submissions[i].prints);
    free(job->submissions);
    if (status == STATUS_OK && written != STATUS_OK) {
        status = written;
        error = unwritten;
    }
    if (status == STATUS_OK && not_judged)
        fprintf(stderr,
                tr_plural("%zu submission was not judged and has no points\n",
                          "%zu submissions were not judged and have no points\n", not_judged),
                not_judged);
    return said_all(status != STATUS_OK ? report_error(status, &error) : not_judged ? EXIT_WRONG : EXIT_DONE);
}

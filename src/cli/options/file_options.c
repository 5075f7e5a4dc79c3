#include "cli/options/file_options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/language.h"
#include "base/mpi_launcher.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/write_whole.h"

#define BLOCK_BYTES (1 << 20)
#define PATIENCE_MS 2000

static enum status copy_all(int from, int to, const char *name, struct error *error)
{
    static const size_t block = BLOCK_BYTES;
    char *bytes = malloc(block);
    enum status status = bytes ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for a pipe");
    for (ssize_t taken = 1; status == STATUS_OK && taken;) {
        taken = read(from, bytes, block);
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            status = fail(error, STATUS_SYSTEM, "%s: cannot read: %s", name, strerror(errno));
        else if (!write_whole(to, bytes, (size_t)taken))
            status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", name, strerror(errno));
    }
    free(bytes);
    return status;
}

/* A name in the folder, which is made where there is none yet. */
static enum status name_file(struct pipes *pipes, const char *name, const char *end, const char **path,
                             struct error *error)
{
    enum status status = pipes->count ? STATUS_OK : temporary_folder_make(FOLDER_PIPE, &pipes->folder, error);
    if (status != STATUS_OK)
        return status;
    if (pipes->count == PIPES_MAX)
        return fail(error, STATUS_INVALID, "more than %d pipes", PIPES_MAX);
    char *made = pipes->paths[pipes->count++], folder[sizeof pipes->folder.path];
    memcpy(folder, pipes->folder.path, sizeof folder);
    snprintf(made, sizeof pipes->paths[0], "%s/%s%s", folder, name, end);
    *path = made;
    return STATUS_OK;
}

static bool is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

/* A FIFO's name is opened without waiting for somebody who may never come; what a shell has opened (/dev/fd/63) has its
 * writer. Whoever has begun to write may take his time. */
static enum status open_pipe(const char *path, int *file, struct error *error)
{
    const bool is_open = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    *file = open(path, O_RDONLY | O_CLOEXEC | (is_open ? 0 : O_NONBLOCK));
    struct pollfd asked = {.fd = *file, .events = POLLIN};
    if (*file < 0)
        return fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if (is_open || (poll(&asked, 1, PATIENCE_MS) > 0 && fcntl(*file, F_SETFL, 0) == 0))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: is not a regular file, and nobody writes to it", path);
}

/* Where `*path` is "-" or a pipe, reads all of it into a file whose name ends in `end`, and makes `*path` its name.
 * `end` NULL: the command does not take them. */
static enum status pipes_input(struct pipes *pipes, const char **path, const char *end, struct error *error)
{
    const bool is_standard = strcmp(*path, "-") == 0;
    const char *given = *path, *name = is_standard ? "standard-input" : "pipe";
    if (!is_standard && !is_pipe(given))
        return STATUS_OK;
    if (!end)
        return fail(error, STATUS_INVALID, "%s: this command reads files only", given);
    if (is_standard && pipes->has_input)
        return fail(error, STATUS_INVALID, "only one input can be '-'");
    if (is_standard && is_terminal(STDIN_FILENO))
        return fail(error, STATUS_INVALID, "'-' is a terminal: give a file, or a pipe");
    pipes->has_input = pipes->has_input || is_standard;
    char own[32];
    snprintf(own, sizeof own, "%s-%d", name, pipes->count + 1);
    enum status status = name_file(pipes, own, end, path, error);
    if (status != STATUS_OK)
        return status;
    int from = STDIN_FILENO;
    const int to = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    status = to >= 0 ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: %s", *path, strerror(errno));
    if (status == STATUS_OK && !is_standard)
        status = open_pipe(given, &from, error);
    if (status == STATUS_OK)
        status = copy_all(from, to, given, error);
    if (from > STDIN_FILENO)
        close(from);
    if (to >= 0 && close(to) != 0 && status == STATUS_OK)
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", *path, strerror(errno));
    return status;
}

/* Where `*path` is "-": a file that pipes_close copies to standard output. */
static enum status pipes_output(struct pipes *pipes, const char **path, const char *end, struct error *error)
{
    if (strcmp(*path, "-") != 0)
        return STATUS_OK;
    if (!end)
        return fail(error, STATUS_INVALID, "-o -: this command writes files only");
    if (is_terminal(STDOUT_FILENO))
        return fail(error, STATUS_INVALID, "-o -: standard output is a terminal, which shows no %s file", end);
    enum status status = name_file(pipes, "standard-output", end, path, error);
    pipes->output = *path;
    return status;
}

/* Writes the result, if the work's `status` is STATUS_OK, and removes all files. Returns `status`, or that of writing.
 */
static enum status pipes_close(struct pipes *pipes, enum status status, struct error *error)
{
    if (status == STATUS_OK && pipes->output) {
        int from = open(pipes->output, O_RDONLY | O_CLOEXEC);
        status = from >= 0 ? copy_all(from, STDOUT_FILENO, "standard output", error)
                           : fail(error, STATUS_SYSTEM, "%s: %s", pipes->output, strerror(errno));
        if (from >= 0)
            close(from);
    }
    temporary_folder_remove(&pipes->folder);
    *pipes = (struct pipes){.has_input = false};
    return status;
}

/* "-" and pipes become files. */
static void take_pipes(struct file_options *arguments, const struct options_state *state)
{
    struct error error;
    enum status status = STATUS_OK;
    if (started_by_mpi())
        return;
    for (int i = 0; status == STATUS_OK && i < arguments->given; i++)
        status = pipes_input(&arguments->pipes, &arguments->inputs[i], arguments->piped_end, &error);
    if (status == STATUS_OK && arguments->output)
        status = pipes_output(&arguments->pipes, &arguments->output, arguments->piped_end, &error);
    if (status != STATUS_OK)
        refuse_use(state, "%s", error.text);
}

static void take_input(void *input, const char *argument, const struct options_state *state)
{
    struct file_options *arguments = input;
    if (!argument[0])
        refuse_use(state, "an input needs a file name; one is empty");
    if (arguments->given == arguments->input_count)
        refuse_use(state, "%s", arguments->too_many);
    arguments->inputs[arguments->given++] = argument;
}

static void check_inputs(void *input, const struct options_state *state)
{
    struct file_options *arguments = input;
    if (arguments->given < arguments->input_count)
        refuse_use(state, "%s", arguments->too_few);
    arguments->laps.last = clock_now();
    take_pipes(arguments, state);
}

static void check_result(void *input, const struct options_state *state)
{
    const struct file_options *arguments = input;
    if (!arguments->output)
        refuse_use(state, "%s", arguments->too_few);
    check_inputs(input, state);
}

/* clang-format off */
#define DEVICE_OPTION \
    {"device", 'd', N_("DEVICE"), \
     N_("Where to compute: auto (the default: where it is expected to be done first), cpu, opencl:0, cuda:0 … " \
        "('uskor devices')"), SETS_TEXT(struct file_options, device)}
#define TIME_OPTION \
    {"time", 0, NULL, N_("Say how long reading, computing, checking and writing took"), \
     SETS_FLAG(struct file_options, times)}
/* clang-format on */

static const struct option options[] = {
    {"output", 'o', N_("OUT"), N_("The result (needed)"), SETS_TEXT(struct file_options, output)},
    {"force", 'f', NULL, N_("Overwrite OUT when it exists"), SETS_FLAG(struct file_options, force)},
    DEVICE_OPTION,
    {"quiet", 'q', NULL, N_("Say nothing when all is well"), SETS_FLAG(struct file_options, quiet)},
    TIME_OPTION,
    {0},
};
static const struct option printing_options[] = {DEVICE_OPTION, TIME_OPTION, {0}};

const struct usage data_usage = {.options = options, .argument = take_input, .check = check_result};
const struct usage data_printing_usage = {.options = printing_options, .argument = take_input, .check = check_inputs};

enum status file_options_status(enum uskor_status done, const struct uskor *context, struct error *error)
{
    static const enum status words[] = {
        [USKOR_OK] = STATUS_OK,           [USKOR_FAILED] = STATUS_FAILED,
        [USKOR_INVALID] = STATUS_INVALID, [USKOR_UNAVAILABLE] = STATUS_UNAVAILABLE,
        [USKOR_SYSTEM] = STATUS_SYSTEM,   [USKOR_BUSY] = STATUS_FAILED,
    };
    return done == USKOR_OK ? STATUS_OK : fail(error, words[done], "%s", uskor_message(context));
}

static const char *whole_text(const struct whole_time *time, char *text, size_t size)
{
    return file_options_duration((int64_t)whole_time_sum(time), text, size);
}

/* Says which device `auto` is, and why. Unasked only on a terminal, and where another device than the cpu was weighed.
 */
static void tell_choice(const struct file_options *arguments, const struct device_choice *choice, const char *device)
{
    char cpu[32], other[32];
    const bool is_asked = arguments->device && !arguments->quiet;
    if (!is_asked && !(*choice->other && file_options_tells(arguments)))
        return;
    whole_text(&choice->cpu, cpu, sizeof cpu);
    whole_text(&choice->best, other, sizeof other);
    if (!choice->is_cpu_known)
        fprintf(stderr, tr("device: %s; no such problem was measured on a CPU\n"), device);
    else if (*choice->other)
        fprintf(stderr, tr("device: %s; expected: cpu %s, %s %s with its opening and copies\n"), device, cpu,
                choice->other, other);
    else
        fprintf(stderr, tr("device: %s; expected: %s; no other device's opening and copies are known to be shorter\n"),
                device, cpu);
}

enum status file_options_open(struct file_options *arguments, const char *problem, struct uskor **context,
                              struct error *error)
{
    struct problem parsed;
    struct device_choice choice;
    const bool is_chosen = !arguments->device || strcmp(arguments->device, "auto") == 0;
    const bool is_posed = is_chosen && problem && problem_parse(problem, &parsed, NULL) == STATUS_OK;
    const struct device_wish wish = {.name = arguments->device,
                                     .described = true,
                                     .problem = is_posed ? &parsed : NULL,
                                     .opens_once = true,
                                     .choice = &choice};
    enum status status = file_options_status(context_open(context, &wish), NULL, error);
    if (status != STATUS_OK)
        return status;
    if (is_posed)
        tell_choice(arguments, &choice, uskor_device(*context));
    stored_times_open(&arguments->stored, NULL);
    (*context)->times = (*context)->job.times = &arguments->stored.times;
    return STATUS_OK;
}

void file_options_lap(struct file_options *arguments, const char *name)
{
    struct laps *laps = &arguments->laps;
    const int64_t now = clock_now();
    if (laps->count < FILE_LAPS_MAX) {
        laps->names[laps->count] = name;
        laps->nanoseconds[laps->count++] = now - laps->last;
    }
    laps->last = now;
}

/* "reading 1.2 ms, computing 3.4 ms, checking 5.6 ms, writing 7.8 ms; in all 18 ms" */
static void tell_laps(const struct laps *laps)
{
    char time[32];
    int64_t whole = 0;
    for (size_t i = 0; i < laps->count; i++) {
        whole += laps->nanoseconds[i];
        fprintf(stderr, "%s%s %s", i ? ", " : "", tr(laps->names[i]),
                file_options_duration(laps->nanoseconds[i], time, sizeof time));
    }
    fprintf(stderr, tr("; in all %s\n"), file_options_duration(whole, time, sizeof time));
}

enum status file_options_close(struct file_options *arguments, struct uskor *context, enum status status,
                               struct error *error)
{
    uskor_close(context);
    stored_times_close(&arguments->stored);
    status = pipes_close(&arguments->pipes, status, error);
    if (status == STATUS_OK && arguments->times)
        tell_laps(&arguments->laps);
    return status;
}

enum status file_options_judge(const struct job *job, void (*judge)(void *, struct check_result *), void *context,
                               struct error *error)
{
    const struct run *run = &job->prepared.run;
    struct check_result result = {.own_data = true};
    enum status status = rung_bound(run->rung, &job->problem, &run->parameters, &result.bound, error);
    if (status != STATUS_OK)
        return status;
    judge(context, &result);
    if (result.passed || result.unfinished)
        return check_outcome(&result, error);
    return fail(error, STATUS_FAILED, "the result is wrong (rung %s on %s) and not given: %s", run->rung->name,
                run->device->id, result.reason);
}

struct answer {
    const struct job *job;
    struct host_arrays input, output;
};

static void check_answer(void *context, struct check_result *result)
{
    const struct answer *answer = context;
    const struct job *job = answer->job;
    job->problem.kernel->check(&job->problem, job->arrays, answer->input, answer->output, result);
}

enum status file_options_check(const struct job *job, struct host_arrays input, struct host_arrays output,
                               struct error *error)
{
    return file_options_judge(job, check_answer, &(struct answer){job, input, output}, error);
}

bool file_options_tells(const struct file_options *arguments)
{
    return is_terminal(STDERR_FILENO) && !arguments->quiet;
}

bool file_options_ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);
    return length > end_length && strcasecmp(name + length - end_length, end) == 0;
}

const char *file_options_duration(int64_t nanoseconds, char *text, size_t size)
{
    text_duration((double)nanoseconds, text, size);
    return say_quantity(text, size);
}

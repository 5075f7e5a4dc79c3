/* uskor grade: one submission, judged by 'uskor try' in a process of its own. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/sha256.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/commands/grade_job.h"
#include "cli/commands/own_process.h"
#include "cli/options/outcome.h"
#include "judge/user_tokens.h"
#include "lab/bench/background_load.h"
#include "lab/bench/interrupt.h"

/* uskor grade: a speed is graded on a quiet machine only. Other programs slow a rung of many threads more than a serial
 * file, so that the same file would have another grade. */
#define LOOK_NS 500000000 /* the system counts in steps of 10 ms */
#define QUIET 0.15        /* cores; a timing with more than 0.2 is void */

/* Returns once other programs have left the cores alone for half a second, after Ctrl-C, or when the patience (ns) is
 * spent. What it waited is taken from the patience. */
static void grade_wait_for_quiet(int64_t *patience)
{
    double load = 1;
    int64_t begun = clock_now(), waited = 0;
    while (load > QUIET && waited < *patience && !interrupt_requested()) {
        struct processor_times before = processor_times_now();
        clock_sleep(LOOK_NS);
        struct processor_times after = processor_times_now();
        load = background_load_between(&before, &after);
        waited = clock_now() - begun;
    }
    *patience -= load > QUIET ? waited : waited - LOOK_NS; /* a quiet machine costs nothing */
}

#define FILE_MOST ((size_t)4 << 20)
#define TRIAL_NS 900000000000 /* all of a trial: each part has a limit of its own */

/* Where one trial's files lie, and what its looks have found. */
struct trial {
    struct temporary_folder folder;
    char source[160], result[160], said[160];
    double times_model[EXERCISE_LOOKS_MOST], share[EXERCISE_LOOKS_MOST];
    bool is_verified;  /* by an earlier look at the same bytes */
    bool is_disturbed; /* the last look's times are void */
};

/* ---- the file ------------------------------------------------------------------------------------------------- */

/* The content; NULL with the reason in the submission. No file is opened that could keep us waiting. */
static char *read_file(struct submission *submission, size_t *bytes)
{
    struct stat facts;
    const char *why = NULL;
    int file = open(submission->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *content = NULL;
    if (file < 0 || fstat(file, &facts) != 0)
        explain(submission->reason, sizeof submission->reason, "cannot be opened: %s", strerror(errno));
    else if (!S_ISREG(facts.st_mode))
        why = N_("is not a file");
    else if (facts.st_size > (off_t)FILE_MOST)
        why = N_("is larger than 4 MiB");
    else if (!(content = malloc(FILE_MOST)))
        why = N_("no memory for it");
    *bytes = 0;
    for (ssize_t got = 1; content && got > 0; *bytes += got > 0 ? (size_t)got : 0)
        got = read(file, content + *bytes, FILE_MOST - *bytes);
    if (why)
        explain(submission->reason, sizeof submission->reason, "%s", why);
    if (file >= 0)
        close(file);
    return content;
}

static void tell_hash(const char *content, size_t bytes, char hash[65])
{
    uint8_t raw[SHA256_BYTES];
    sha256(content, bytes, raw);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(hash + 2 * i, 3, "%02x", raw[i]);
}

/* A folder with a copy of the file under a name of ours: the student's may be anything. */
static enum status lay_out(const struct submission *submission, const char *content, size_t bytes, struct trial *trial,
                           struct error *error)
{
    enum status status = temporary_folder_make(FOLDER_GRADE, &trial->folder, error);
    if (status != STATUS_OK)
        return status;
    snprintf(trial->source, sizeof trial->source, "%s/submission%s", trial->folder.path,
             strrchr(submission->path, '.'));
    for (char *letter = strrchr(trial->source, '.'); *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    snprintf(trial->result, sizeof trial->result, "%s/result.json", trial->folder.path);
    snprintf(trial->said, sizeof trial->said, "%s/said", trial->folder.path);
    FILE *file = fopen(trial->source, "wxe");
    bool written = file && fwrite(content, 1, bytes, file) == bytes;
    return file && fclose(file) == 0 && written
               ? STATUS_OK
               : fail(error, STATUS_SYSTEM, "%s: there is no room for a copy of a submission", trial->folder.path);
}

/* ---- the process ---------------------------------------------------------------------------------------------- */

static int run(const struct grade_job *job, const struct trial *trial)
{
    const char *arguments[32] = {"--lang",        "en",         "try",      job->exercise->kernel,
                                 trial->source,   job->problem, "--device", job->device,
                                 "--limit",       job->limit,   "--store",  "none",
                                 "--kernel-only", "--json",     "-o",       trial->result};
    size_t count = 16;
    for (size_t i = 0; job->exercise->steps[i]; i++) {
        arguments[count++] = "--beside";
        arguments[count++] = job->exercise->steps[i];
    }
    if (trial->is_verified)
        arguments[count++] = "--verified";
    return own_process_run(&(struct own_process){.arguments = arguments, .errors = trial->said, .limit_ns = TRIAL_NS});
}

/* ---- what it found -------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static double median_of(const json_t *measurement)
{
    const json_t *compute = json_object_get(json_object_get(measurement, "nanoseconds"), "compute");
    return json_number_value(json_object_get(json_object_get(compute, "summary"), "median"));
}

static const json_t *find_rung(const json_t *list, const char *rung)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one) if (strcmp(text_of(one, "rung"), rung) == 0 &&
                                         strcmp(text_of(one, "kind"), "probe") != 0) return one;
    return NULL;
}

/* The line without the copy's path at its begin, and with the student's own file name for it elsewhere: the copy's
 * changes from grading to grading, and is of no matter to anybody. */
static void write_own_name(const struct trial *trial, const struct submission *submission, const char *line, char *text,
                           size_t size)
{
    const size_t length = strlen(trial->source);
    if (strncmp(line, trial->source, length) == 0)
        line += length + strspn(line + length, ": ");
    text[0] = '\0';
    for (const char *at; (at = strstr(line, trial->source)); line = at + length)
        text_append(text, size, "%.*s%s", (int)(at - line), line, submission->file);
    text_append(text, size, "%s", line);
}

/* What the trial said: its message, or the first error that a compiler found. */
static void take_words(const struct trial *trial, const char *otherwise, struct submission *submission)
{
    char line[GRADE_TEXT_MAX], message[2 * GRADE_TEXT_MAX] = "", shown[GRADE_TEXT_MAX];
    bool is_compiler = false;
    FILE *said = fopen(trial->said, "re");
    while (said && fgets(line, sizeof line, said)) {
        line[strcspn(line, "\n")] = '\0';
        bool is_message = strncmp(line, "uskor: ", 7) == 0 && !strstr(line, ". Assumed: ");
        if (message[0] && strstr(line, "error")) {
            write_own_name(trial, submission, line, message, sizeof message);
            is_compiler = true;
            break;
        }
        if (!message[0] && is_message)
            write_own_name(trial, submission, line + 7, message, sizeof message);
    }
    if (said)
        fclose(said);
    visible_copy(message[0] ? message : otherwise, shown, sizeof shown);
    explain(submission->reason, GRADE_TEXT_MAX, is_compiler ? N_("does not compile: line %s") : "%s", shown);
}

static double middle_of(const double *values, size_t count)
{
    double sorted[EXERCISE_LOOKS_MOST] = {0};
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* Whether other programs disturbed the timing, or the threads changed their cores. */
static bool is_void(const struct grade_job *job, const json_t *measurement)
{
    const char *warnings = text_of(measurement, "warnings");
    return job->waits && (strncmp(warnings, "noisy", 5) == 0 || strncmp(warnings, "moved", 5) == 0);
}

/* One look at a right file's time. */
static void take_times(struct grade_job *job, const json_t *list, const json_t *mine, struct trial *trial,
                       struct submission *submission, bool *is_wanted)
{
    double times[EXERCISE_STEPS_MOST + 1] = {0}, time = median_of(mine);
    size_t last = exercise_steps(job->exercise), look = submission->looks.count;
    for (size_t i = 0; i <= last; i++) {
        const json_t *rung = find_rung(list, job->exercise->steps[i]);
        times[i] = rung && strcmp(text_of(rung, "verdict"), "PASS") == 0 ? median_of(rung) : 0;
    }
    bool is_close;
    size_t level = exercise_level(job->exercise, times, time, &is_close);
    trial->times_model[look] = times[last] > 0 ? time / times[last] : 0;
    trial->share[look] = json_number_value(json_object_get(mine, "of_ceiling"));
    *is_wanted = exercise_look(&submission->looks, level, is_close) && job->speed_counts;
    submission->times_model = middle_of(trial->times_model, look + 1);
    submission->share = middle_of(trial->share, look + 1);
    job->is_flat = job->is_flat || (job->speed_counts && exercise_is_flat(job->exercise, times));
}

/* Machine, reason and times, from the measurements; false when the file has none that passed. */
static bool take_figures(struct grade_job *job, const json_t *list, struct trial *trial, struct submission *submission,
                         bool *is_wanted)
{
    char name[32];
    snprintf(name, sizeof name, "submission%s", strrchr(submission->path, '.'));
    const json_t *mine = find_rung(list, name);
    *is_wanted = false;
    if (!mine)
        return false;
    visible_copy(text_of(mine, "device_name"), submission->device, sizeof submission->device);
    visible_copy(text_of(mine, "driver"), submission->driver, sizeof submission->driver);
    visible_copy(text_of(mine, "code_version"), submission->version, sizeof submission->version);
    if (strcmp(text_of(mine, "verdict"), "PASS") != 0) {
        visible_copy(text_of(mine, "reason"), submission->reason, sizeof submission->reason);
        return false;
    }
    trial->is_disturbed = is_void(job, mine);
    *is_wanted = trial->is_disturbed;
    if (!trial->is_disturbed)
        take_times(job, list, mine, trial, submission, is_wanted);
    return true;
}

static bool has_line(const char *path, const char *word, char line[GRADE_TEXT_MAX])
{
    FILE *file = fopen(path, "re");
    bool has = false;
    while (!has && file && fgets(line, GRADE_TEXT_MAX, file))
        has = strstr(line, word) != NULL;
    if (file)
        fclose(file);
    return has;
}

/* A right file whose header refuses problems: on how many edge cases it was not tried, and why. */
static void take_untried(const struct trial *trial, struct submission *submission)
{
    char line[GRADE_TEXT_MAX];
    if (!has_line(trial->source, "require:", line) || !has_line(trial->said, "not tried on ", line))
        return;
    line[strcspn(line, "\n")] = '\0';
    visible_copy(line, submission->reason, sizeof submission->reason);
}

static const char *usual_reason(int code)
{
    return code == OWN_PROCESS_LATE     ? N_("took more than 15 minutes")
           : code == OWN_PROCESS_KILLED ? N_("ended the process that judges it")
           : code == EXIT_WRONG         ? N_("refused")
                                        : N_("could not be judged");
}

/* Whether other programs, or who stopped a process, kept the judge from a verdict. Each part of a trial has a limit of
 * its own, so one that takes all of its time does so on a busy machine. */
static bool is_noise(const struct submission *submission, int code)
{
    return code == OWN_PROCESS_LATE ||
           (code == EXIT_WRONG && strncmp(submission->reason, DISTURBED, strlen(DISTURBED)) == 0);
}

static void conclude(struct grade_job *job, struct trial *trial, int code, struct submission *submission,
                     bool *is_wanted)
{
    json_t *list = code >= 0 ? json_load_file(trial->result, 0, NULL) : NULL;
    bool is_right = take_figures(job, list, trial, submission, is_wanted) && code == EXIT_DONE;
    json_decref(list);
    submission->verdict = is_right                         ? GRADE_RIGHT
                          : is_noise(submission, code)     ? GRADE_NOT_JUDGED
                          : code == EXIT_WRONG || code < 0 ? GRADE_WRONG
                          : code == EXIT_USE               ? GRADE_ERROR
                                                           : GRADE_NOT_JUDGED;
    if (!is_right && !submission->reason[0])
        take_words(trial, usual_reason(code), submission);
    if (is_right && !trial->is_verified)
        take_untried(trial, submission);
    *is_wanted = *is_wanted && is_right;
    submission->points = !is_right           ? 0
                         : job->speed_counts ? exercise_points(job->exercise, exercise_looks_level(&submission->looks))
                                             : EXERCISE_POINTS_RIGHT;
    if (is_right && job->speed_counts && submission->looks.count)
        snprintf(submission->step, sizeof submission->step, "%s",
                 job->exercise->steps[exercise_step(job->exercise, exercise_looks_level(&submission->looks))]);
}

void grade_name_twin(const struct grade_job *job, struct submission *submission)
{
    for (const struct submission *other = job->submissions; other < submission; other++)
        if (submission->tokens[0] && strcmp(other->tokens, submission->tokens) == 0) {
            submission->same_as = other->same_as;
            return;
        }
}

/* A file with the content of an earlier one has its grade. */
static bool take_twin(const struct grade_job *job, struct submission *submission)
{
    for (const struct submission *other = job->submissions; other < submission; other++) {
        if (!other->path[0] || !other->is_judged || strcmp(other->hash, submission->hash) != 0 ||
            strcmp(strrchr(other->path, '.'), strrchr(submission->path, '.')) != 0)
            continue;
        struct submission own = *submission;
        *submission = *other;
        memcpy(submission->path, own.path, sizeof own.path);
        memcpy(submission->student, own.student, sizeof own.student);
        memcpy(submission->file, own.file, sizeof own.file);
        submission->late = own.late;
        submission->prints = own.prints;
        submission->alike = own.alike;
        submission->similarity = own.similarity;
        return true;
    }
    return false;
}

/* No grade for a file whose looks could not agree: on a quiet machine it might have another. */
static void give_up(struct submission *submission)
{
    submission->verdict = GRADE_NOT_JUDGED;
    submission->points = 0;
    submission->step[0] = '\0';
    explain(submission->reason, sizeof submission->reason,
            "right, but other programs disturbed the timing: grade it again on a quiet machine");
}

/* A right file is looked at until its looks agree; it has to be right each time. Its edge cases are those of its bytes,
 * so one look has them. */
static enum status judge_copy(struct grade_job *job, struct trial *trial, struct submission *submission,
                              struct error *error)
{
    trial->is_verified = false;
    for (bool is_wanted = true; is_wanted; trial->is_verified = true) {
        int64_t begun = clock_now();
        unlink(trial->result);
        trial->is_disturbed = false;
        int code = run(job, trial);
        if (code == OWN_PROCESS_NONE)
            return fail(error, STATUS_SYSTEM, "no process can be started: %s", strerror(errno));
        if (interrupt_requested())
            return fail(error, STATUS_INTERRUPTED, "interrupted");
        conclude(job, trial, code, submission, &is_wanted);
        if (trial->is_disturbed)
            job->patience -= clock_now() - begun;
        if (is_wanted && trial->is_disturbed && job->patience <= 0) {
            give_up(submission);
            is_wanted = false;
        } else if (is_wanted && job->waits) {
            grade_wait_for_quiet(&job->patience);
        }
    }
    return STATUS_OK;
}

/* Of a copy that lies alone: what another has handed in is not included. */
static void tell_tokens(struct submission *submission, const char *content, size_t bytes)
{
    struct trial trial = {0};
    struct error unused;
    char *tokens = NULL;
    if (lay_out(submission, content, bytes, &trial, &unused) == STATUS_OK)
        tokens = user_tokens_read(trial.source);
    if (tokens)
        tell_hash(tokens, strlen(tokens), submission->tokens);
    prints_take(tokens, &submission->prints);
    free(tokens);
    temporary_folder_remove(&trial.folder);
}

void grade_find_alike(struct grade_job *job, const char *skeleton)
{
    struct prints given;
    char *tokens = skeleton ? user_tokens_read(skeleton) : NULL;
    prints_take(tokens, &given);
    free(tokens);
    for (size_t i = 0; i < job->count; i++)
        prints_leave_out(&job->submissions[i].prints, &given);
    prints_free(&given);
    for (size_t i = 0; i < job->count; i++)
        for (size_t j = 0; j < job->count; j++) {
            struct submission *one = &job->submissions[i];
            const double alike = i == j ? 0 : prints_alike(&one->prints, &job->submissions[j].prints);
            one->alike = alike > one->similarity ? j : one->alike;
            one->similarity = alike > one->similarity ? alike : one->similarity;
        }
}

void grade_read_hash(struct submission *submission)
{
    size_t bytes;
    char *content = read_file(submission, &bytes);
    if (content) {
        tell_hash(content, bytes, submission->hash);
        tell_tokens(submission, content, bytes);
    } else

        submission->verdict = GRADE_ERROR;
    submission->is_judged = !content;
    free(content);
}

/* The exercise's devices run no file in another language than its own. */
static bool refuse_language(const struct grade_job *job, struct submission *submission)
{
    if ((strcasecmp(strrchr(submission->path, '.'), ".c") == 0) == job->exercise->on_cpu)
        return false;
    submission->verdict = GRADE_ERROR;
    explain(submission->reason, sizeof submission->reason, "ends in %s, and this exercise is answered in %s",
            strrchr(submission->file, '.'), job->exercise->on_cpu ? ".c" : ".cl, .cu");
    return true;
}

enum status grade_judge(struct grade_job *job, struct submission *submission, struct error *error)
{
    struct trial trial = {0};
    size_t bytes;
    char *content = read_file(submission, &bytes);
    if (!content) {
        submission->verdict = GRADE_ERROR;
        submission->is_judged = true;
        return STATUS_OK;
    }
    tell_hash(content, bytes, submission->hash);
    bool is_done = refuse_language(job, submission) || (!job->asked_count && take_twin(job, submission));
    enum status status = is_done ? STATUS_OK : lay_out(submission, content, bytes, &trial, error);
    free(content);
    if (status == STATUS_OK && !is_done)
        status = judge_copy(job, &trial, submission, error);
    submission->is_judged = status == STATUS_OK;
    temporary_folder_remove(&trial.folder);
    return status;
}

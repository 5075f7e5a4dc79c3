/* The judge's side of checking. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/pocl_cache.h"
#include "base/clock.h"
#include "base/message.h"
#include "judge/judge.h"
#include "judge/parcel.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "lab/bench/describe.h"

/* One problem on one device. */
struct trial {
    struct judge *judge;
    const struct problem *problem;
    struct device *device;
    const struct rung *const *rungs;
    size_t count;
    const struct overrides *overrides;
};

/* A user's rung may take so many times the limit for one problem, whatever signs of life it gives. */
#define MESSAGE_LIMITS 12

/* How a child's work on some rungs ended. */
struct outcome {
    enum child_event event; /* CHILD_MESSAGE: all were checked */
    size_t checked;         /* rungs that have their measurement */
    bool is_last;           /* the last of them was wrong, or ended the child; the child is gone */
    bool in_driver;         /* it ended in a driver, before any rung */
    bool was_used;          /* the child had run other rungs before */
    struct error why;
};

void judge_close(struct judge *judge)
{
    child_end(&judge->child);
    judge->is_used = false;
}

enum status judge_start_checking(struct judge *judge, struct error *error)
{
    struct child_limits limits = judge_limits(&judge->limits);
    limits.idle_threads_sleep = true;
    if (user_rung_arguments())
        limits.seconds_in_all = MESSAGE_LIMITS * limits.seconds;
    if (user_rung_name()[0] && !user_rung_is_module())
        pocl_cache_copy(user_rung_folder()); /* what every check launches beside the file's own */
    enum status status = child_start("check", user_rung_arguments(), &limits, &judge->child, error);
    judge->memory_most = judge->child.limits.memory_bytes;
    return status;
}

static enum status send_job(const struct trial *trial, size_t first, size_t count, struct error *error)
{
    struct judge *judge = trial->judge;
    struct check_job *job = calloc(1, sizeof *job);
    if (!job)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    job->device = judge_name_device(trial->device);
    problem_text(trial->problem, job->problem);
    job->threads = omp_get_max_threads();
    job->overrides = *trial->overrides;
    job->count = count;
    for (size_t i = 0; i < count; i++)
        memcpy(job->rungs[i], trial->rungs[first + i]->name, sizeof job->rungs[i]);
    enum status status = STATUS_OK;
    if (!judge->child.id)
        status = judge_start_checking(judge, error);
    if (status == STATUS_OK)
        judge->child.limits.memory_bytes = judge_memory_most(trial->problem, trial->device, judge->memory_most);
    judge->child.last_message = clock_now();
    if (status == STATUS_OK)
        child_send(&judge->child.link, JUDGE_CHECK, job, sizeof *job); /* the wait for a dead child reports its end */
    free(job);
    return status;
}

/* Of the rung that is next: a child's code may send others. */
static bool is_of(const struct measurement *measurement, const struct trial *trial, size_t rung)
{
    char problem[PROBLEM_TEXT_MAX];
    return strcmp(measurement->rung, trial->rungs[rung]->name) == 0 &&
           strcmp(measurement->device, trial->device->id) == 0 &&
           strcmp(measurement->problem, problem_text(trial->problem, problem)) == 0;
}

static enum status add(struct measurement_list *list, const struct measurement *received, struct error *error)
{
    struct measurement *added = measurement_list_add(list);
    if (!added)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    *added = *received;
    return STATUS_OK;
}

/* A wrong rung may have left a thread running. The next rung gets a new child. */
static bool is_suspect(const struct measurement_list *list)
{
    enum verdict verdict = list->items[list->count - 1].verdict;
    return verdict == VERDICT_FAIL || verdict == VERDICT_ERROR;
}

static bool distrust(struct outcome *outcome)
{
    outcome->event = CHILD_LEFT;
    fail(&outcome->why, STATUS_FAILED, "sent its judge verdicts that it was not asked for");
    return true;
}

/* Returns whether the child has finished this job. */
static bool heed(const struct trial *trial, size_t first, size_t count, const struct child_message *message,
                 struct outcome *outcome, struct measurement_list *list, enum status *status, struct error *error)
{
    struct measurement received;
    if (message->type == JUDGE_DONE) {
        const struct judge_done *done = message->data;
        message_unpack(done->error.text, done->origin);
        *status = fail(error, done->status, "%s", done->error.text);
        return done->status == STATUS_OK && outcome->checked < count ? distrust(outcome) : true;
    }
    if (message->type != JUDGE_MEASURED || outcome->checked == count)
        return distrust(outcome);
    if (!parcel_unpack(message->data, message->bytes, &received)) {
        *status = fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        return true;
    }
    if (!is_of(&received, trial, first + outcome->checked)) {
        measurement_free(&received);
        return distrust(outcome);
    }
    *status = add(list, &received, error);
    outcome->checked++;
    outcome->is_last = *status == STATUS_OK && is_suspect(list);
    if (outcome->is_last)
        outcome->event = CHILD_LEFT;
    return outcome->is_last || *status != STATUS_OK;
}

/* Has the child check `count` rungs from `first` on. The child survives only if it finished all of them. */
static enum status try_rungs(const struct trial *trial, size_t first, size_t count, struct outcome *outcome,
                             struct measurement_list *list, struct error *error)
{
    struct judge *judge = trial->judge;
    struct child_message message;
    *outcome = (struct outcome){.event = CHILD_MESSAGE, .was_used = judge->is_used};
    enum status status = send_job(trial, first, count, error);
    bool is_over = status != STATUS_OK;
    while (!is_over) {
        outcome->event = child_wait(&judge->child, judge_interrupted, NULL, &message, &outcome->why);
        is_over = outcome->event != CHILD_MESSAGE;
        if (outcome->event == CHILD_CANCELLED)
            status = fail(error, STATUS_INTERRUPTED, "interrupted");
        else if (outcome->event == CHILD_LACKING)
            status = fail(error, STATUS_UNAVAILABLE, "%s", outcome->why.text);
        if (is_over)
            break;
        judge->is_used = true;
        is_over = heed(trial, first, count, &message, outcome, list, &status, error);
        free(message.data);
    }
    if (judge->child.under_way)
        outcome->in_driver = atomic_load(&judge->child.under_way->kind) == UNDER_WAY_DRIVER;
    if (status != STATUS_OK || outcome->event != CHILD_MESSAGE)
        judge_close(judge);
    return status;
}

/* ---- which rung crashed the child ---- */

static enum status add_error(const struct trial *trial, size_t rung, const struct error *why,
                             struct measurement_list *list, struct error *error)
{
    struct candidate candidate;
    enum status status =
        candidate_make(trial->device, trial->rungs[rung], trial->problem, trial->overrides, &candidate, error);
    struct measurement *added = status == STATUS_OK ? measurement_list_add(list) : NULL;
    if (!added)
        return status == STATUS_OK ? fail(error, STATUS_UNAVAILABLE, "no memory for another measurement") : status;
    describe_measurement(added, trial->problem, &candidate, false);
    conclude_measurement(added, VERDICT_ERROR, why->text);
    return STATUS_OK;
}

/* Runs the rung in a child of its own. *is_guilty: that child crashes, too. Otherwise the verdict is added to the
 * list. */
static enum status try_alone(const struct trial *trial, size_t rung, bool *is_guilty, struct error *why,
                             struct measurement_list *list, struct error *error)
{
    struct outcome outcome;
    judge_close(trial->judge);
    enum status status = try_rungs(trial, rung, 1, &outcome, list, error);
    judge_close(trial->judge);
    *is_guilty = status == STATUS_OK && outcome.event != CHILD_MESSAGE && !outcome.is_last;
    *why = outcome.why;
    if (*is_guilty && outcome.checked) /* its memory error showed only after its verdict */
        list->count--;
    return status;
}

/* Runs the suspect, then the rung that was running. *is_guilty: the crash recurs. If none was running, the crash must
 * recur when the child cleans up. */
static enum status try_suspect(const struct trial *trial, size_t suspect, size_t under_way, bool *is_guilty,
                               struct error *why, struct error *error)
{
    const struct rung *pair[2] = {trial->rungs[suspect]};
    struct trial both = *trial;
    struct measurement_list again = {0};
    struct outcome outcome;
    both.rungs = pair;
    both.count = 1;
    if (under_way < trial->count)
        pair[both.count++] = trial->rungs[under_way];
    judge_close(trial->judge);
    enum status status = try_rungs(&both, 0, both.count, &outcome, &again, error);
    judge_close(trial->judge);
    measurement_list_free(&again);
    *is_guilty = status == STATUS_OK && outcome.event == CHILD_CRASHED;
    *why = outcome.why;
    return status;
}

/* A child that ran several rungs has crashed: an earlier rung may have corrupted its memory. The rung that was running
 * is tried alone, then after each earlier one in turn. If no crash recurs, that rung is reported as unsteady, which is
 * an error, too. */
static enum status find_guilty(const struct trial *trial, size_t begin, size_t under_way, const struct error *first,
                               struct measurement_list *list, struct error *error)
{
    bool is_guilty = false;
    struct error why;
    enum status status = STATUS_OK;
    if (under_way < trial->count) {
        status = try_alone(trial, under_way, &is_guilty, &why, list, error);
        if (status == STATUS_OK && is_guilty)
            return add_error(trial, under_way, &why, list, error);
    }
    for (size_t i = 0; status == STATUS_OK && !is_guilty && i < under_way; i++) {
        status = try_suspect(trial, i, under_way, &is_guilty, &why, error);
        if (status != STATUS_OK || !is_guilty)
            continue;
        fail_in(&why, STATUS_FAILED, "broke the process for the rungs behind it");
        conclude_measurement(&list->items[begin + i], VERDICT_ERROR, why.text);
    }
    if (status != STATUS_OK || is_guilty || list->count == begin)
        return status;
    why = *first;
    fail_in(&why, STATUS_FAILED, "unsteady: it did not do it again");
    conclude_measurement(&list->items[list->count - 1], VERDICT_ERROR, why.text);
    return STATUS_OK;
}

enum status judge_check(struct judge *judge, const struct problem *problem, struct device *device,
                        const struct rung *const *rungs, size_t count, const struct overrides *overrides,
                        struct measurement_list *list, struct error *error)
{
    struct trial trial = {judge, problem, device, rungs, count, overrides};
    size_t next = 0, begin = list->count;
    enum status status = STATUS_OK;
    bool is_done = false;
    while (status == STATUS_OK && !is_done) {
        struct outcome outcome;
        status = try_rungs(&trial, next, count - next, &outcome, list, error);
        next += outcome.checked < count - next ? outcome.checked : count - next;
        is_done = outcome.event == CHILD_MESSAGE || (next == count && outcome.is_last);
        if (status != STATUS_OK || is_done || outcome.is_last)
            continue;
        if (outcome.event == CHILD_CRASHED && (outcome.was_used || outcome.checked)) {
            status = find_guilty(&trial, begin, next, &outcome.why, list, error);
            next += next < count;
        } else if (next < count) {
            /* If not even the first rung was reached, none will be: the driver ends every child. */
            do
                status = add_error(&trial, next++, &outcome.why, list, error);
            while (status == STATUS_OK && next < count && outcome.in_driver);
        }
        is_done = next == count;
    }
    return status;
}

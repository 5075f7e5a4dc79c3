/* The judge's side of timing. */
#include <omp.h>
#include <signal.h>
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

#define PROBES_MOST 64
#define GRACE_NS 10000000000 /* for a child that was asked to finish its measurement */

struct session {
    const struct problem *problem;
    const struct candidate *candidates;
    size_t count;
    bool *is_out; /* for each candidate: it crashed a child */
    const struct bench_options *options;
    struct measurement_list *list;
    size_t begin; /* index of this problem's first measurement in the list */
    struct child_process child;
    int64_t asked; /* when the child was asked to finish; 0: not asked */
};

/* ---- the job -------------------------------------------------------------------------------------------------- */

static enum status send_ceilings(struct child_process *child, const struct measurement_list *ceilings,
                                 struct error *error)
{
    for (size_t i = 0; ceilings && i < ceilings->count; i++) {
        size_t bytes;
        void *data = parcel_pack(&ceilings->items[i], &bytes);
        if (!data)
            return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        child_send(&child->link, JUDGE_CEILING, data, bytes);
        free(data);
    }
    return STATUS_OK;
}

enum status judge_send_bench(struct child_process *child, const struct problem *problem,
                             const struct candidate *candidates, size_t count, const bool *is_out,
                             const struct bench_options *options, bool is_ahead, struct error *error)
{
    struct bench_job job = {
        .threads = omp_get_max_threads(),
        .seconds = options->seconds,
        .precision = options->precision,
        .cold = options->cold,
        .end_to_end = options->end_to_end,
        .probe_ceilings = options->probe_ceilings,
        .has_ceilings = options->ceilings != NULL,
        .is_rough = options->is_rough,
        .samples_least = options->samples_least,
        .repeat = options->repeat,
        .rounds_most = options->rounds_most,
        .counters = options->counters,
        .is_ahead = is_ahead,
    };
    if (options->neighbours_of)
        memcpy(job.neighbours_of, options->neighbours_of->name, sizeof job.neighbours_of);
    problem_text(problem, job.problem);
    child_send(&child->link, JUDGE_BENCH, &job, sizeof job);
    for (size_t i = 0; i < count; i++) {
        const struct candidate *candidate = &candidates[i];
        struct candidate_job one = {.device = judge_name_device(candidate->device),
                                    .parameters = candidate->parameters};
        if (is_out && is_out[i])
            continue;
        memcpy(one.rung, candidate->rung->name, sizeof one.rung);
        child_send(&child->link, JUDGE_CONTENDER, &one, sizeof one);
    }
    enum status status = send_ceilings(child, options->ceilings, error);
    if (status == STATUS_OK)
        child_send(&child->link, JUDGE_GO, NULL, 0);
    return status;
}

/* ---- measurements --------------------------------------------------------------------------------------------- */

static bool is_same(const struct measurement *a, const struct measurement *b)
{
    return a->kind == b->kind && strcmp(a->device, b->device) == 0 && strcmp(a->rung, b->rung) == 0 &&
           strcmp(a->parameters, b->parameters) == 0;
}

/* The measurement replaces an earlier state of itself, which may already be in the store. The list takes ownership.
 * NULL when memory is out. */
static struct measurement *place(struct session *session, const struct measurement *measurement)
{
    struct measurement_list *list = session->list;
    for (size_t i = session->begin; i < list->count; i++) {
        struct measurement *earlier = &list->items[i];
        if (!is_same(earlier, measurement))
            continue;
        int64_t id = earlier->id, run = earlier->run, number = earlier->number;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            free(earlier->phases[phase].items);
        *earlier = *measurement;
        earlier->id = id;
        earlier->run = run;
        earlier->number = number;
        return earlier;
    }
    struct measurement *added = measurement_list_add(list);
    if (added)
        *added = *measurement;
    return added;
}

/* The position in the list: a probe precedes its device's first rung. */
static size_t rank(const struct session *session, const struct measurement *measurement)
{
    char parameters[sizeof measurement->parameters];
    for (size_t i = 0; i < session->count; i++) {
        const struct candidate *candidate = &session->candidates[i];
        if (strcmp(candidate->device->id, measurement->device) != 0)
            continue;
        if (measurement->kind == MEASURED_PROBE)
            return 2 * i;
        candidate_parameters(candidate, parameters, sizeof parameters);
        if (strcmp(candidate->rung->name, measurement->rung) == 0 && strcmp(parameters, measurement->parameters) == 0)
            return 2 * i + 1;
    }
    return 2 * session->count;
}

/* Whether it is of a candidate, or of a probe on its device; and not more of them than there can be. */
static bool is_asked_for(const struct session *session, const struct measurement *measurement)
{
    return rank(session, measurement) < 2 * session->count &&
           session->list->count - session->begin < 2 * session->count + PROBES_MOST;
}

static enum status take(struct session *session, const struct child_message *message, struct error *error)
{
    struct measurement received, *placed = NULL;
    if (!parcel_unpack(message->data, message->bytes, &received))
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    if (!is_asked_for(session, &received)) {
        measurement_free(&received);
        return STATUS_OK;
    }
    placed = place(session, &received);
    if (!placed)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    if (message->type == JUDGE_MEASURED && session->options->finished)
        session->options->finished(session->options->finished_context, placed);
    return STATUS_OK;
}

/* Insertion sort: the list is in order except for rungs that crashed a child. */
static void put_in_order(const struct session *session)
{
    struct measurement *items = session->list->items;
    for (size_t i = session->begin + 1; i < session->list->count; i++) {
        struct measurement moved = items[i];
        size_t at = i, wanted = rank(session, &moved);
        for (; at > session->begin && rank(session, &items[at - 1]) > wanted; at--)
            items[at] = items[at - 1];
        items[at] = moved;
    }
}

/* ---- a child's life ------------------------------------------------------------------------------------------- */

/* Shows progress. After Ctrl-C the child is asked to finish; after GRACE_NS it is abandoned. */
static bool look(void *context)
{
    struct session *session = context;
    const struct under_way *now = session->child.under_way;
    if (session->options->progress && atomic_load(&now->kind) == UNDER_WAY_RUNG)
        session->options->progress(session->options->progress_context, now->subject, now->fraction);
    if (!judge_interrupted(NULL))
        return false;
    if (!session->asked) {
        session->asked = clock_now();
        kill(session->child.id, SIGINT);
    }
    return clock_now() - session->asked > GRACE_NS;
}

static bool is_under_way(const struct under_way *now, const struct candidate *candidate)
{
    char parameters[sizeof now->parameters];
    candidate_parameters(candidate, parameters, sizeof parameters);
    return strcmp(now->subject, candidate->rung->name) == 0 && strcmp(now->device, candidate->device->id) == 0 &&
           strcmp(now->parameters, parameters) == 0;
}

/* The candidate that was running when the child ended; `count` if none was. Files are looked at after each turn, so
 * that it is the last one that has closed the channel. */
static size_t find_guilty(const struct session *session)
{
    const struct under_way *now = session->child.under_way;
    const bool is_named = atomic_load(&now->kind) == UNDER_WAY_RUNG || atomic_load(&now->channel_lost);
    size_t i = is_named ? 0 : session->count;
    while (i < session->count && (session->is_out[i] || !is_under_way(now, &session->candidates[i])))
        i++;
    return i;
}

static enum status blame(struct session *session, size_t guilty, const struct error *why, struct error *error)
{
    struct measurement measurement = {0}, *placed;
    session->is_out[guilty] = true;
    describe_measurement(&measurement, session->problem, &session->candidates[guilty], false);
    conclude_measurement(&measurement, VERDICT_ERROR, why->text);
    measurement.cold = session->options->cold;
    placed = place(session, &measurement);
    if (!placed)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    if (session->options->finished)
        session->options->finished(session->options->finished_context, placed);
    return STATUS_OK;
}

static bool is_suspect(const struct under_way *now, const struct device *device)
{
    return atomic_load(&now->kind) == UNDER_WAY_NOTHING ? device->backend->kind != BACKEND_CPU
                                                        : strcmp(now->device, device->id) == 0;
}

/* No candidate was running, but the driver of a device, or a ceiling's probe on it: all rungs of that device are out.
 * If it is not known which driver, those of all are: the CPU goes on alone. False if there is no suspect. */
static bool blame_device(struct session *session, const struct error *why, enum status *status, struct error *error)
{
    const struct under_way *now = session->child.under_way;
    bool is_blamed = false;
    for (size_t i = 0; i < session->count; i++) {
        struct error reason;
        if (session->is_out[i] || !is_suspect(now, session->candidates[i].device))
            continue;
        if (atomic_load(&now->kind) == UNDER_WAY_NOTHING)
            fail(&reason, STATUS_FAILED, "a device's driver: %s", why->text);
        else
            fail(&reason, STATUS_FAILED, "its device, at work on '%s': %s", now->subject, why->text);
        const enum status blamed = blame(session, i, &reason, error);
        *status = blamed == STATUS_OK ? *status : blamed;
        is_blamed = true;
    }
    return is_blamed;
}

/* *is_over is false only if a rung or a device crashed the child and other rungs are left. */
static enum status run_child(struct session *session, bool *is_over, struct error *error)
{
    struct child_message message;
    struct error why;
    enum child_event event;
    *is_over = true;
    enum status status = judge_send_bench(&session->child, session->problem, session->candidates, session->count,
                                          session->is_out, session->options, false, error);
    if (status != STATUS_OK)
        return status;
    while ((event = child_wait(&session->child, look, session, &message, &why)) == CHILD_MESSAGE) {
        bool is_done = message.type == JUDGE_DONE;
        if (is_done) {
            const struct judge_done *done = message.data;
            message_unpack(done->error.text, done->origin);
            status = fail(error, done->status, "%s", done->error.text);
        } else if (message.type == JUDGE_MEASURED || message.type == JUDGE_FINAL) {
            status = take(session, &message, error);
        }
        free(message.data);
        if (is_done || status != STATUS_OK)
            return status;
    }
    if (event == CHILD_CANCELLED || judge_interrupted(NULL))
        return fail(error, STATUS_INTERRUPTED, "interrupted");
    if (event == CHILD_STOPPED || event == CHILD_LACKING)
        return fail(error, STATUS_UNAVAILABLE, "%s", why.text);
    size_t guilty = find_guilty(session), left = 0;
    if (guilty < session->count)
        status = blame(session, guilty, &why, error);
    else if (!blame_device(session, &why, &status, error))
        return fail(error, STATUS_UNAVAILABLE, "the process that was to time the rungs: %s", why.text);
    for (size_t i = 0; i < session->count; i++)
        left += !session->is_out[i];
    *is_over = status != STATUS_OK || left == 0;
    return status;
}

/* What the child may have: the most that one of its devices takes. */
static uint64_t memory_most(const struct problem *problem, const struct candidate *candidates, size_t count,
                            uint64_t available)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t own = judge_memory_most(problem, candidates[i].device, available);
        most = own > most ? own : most;
    }
    return count ? most : available;
}

/* Whether OpenMP's threads are part of what is timed. Where they are not, and a device computes on the same cores, the
 * threads that have verified would spin beside the timed runs. */
static bool uses_host_threads(const struct candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (candidates[i].device->backend->kind == BACKEND_CPU)
            return true;
    return false;
}

enum status judge_bench(const struct child_limits *limits, const struct problem *problem,
                        const struct candidate *candidates, size_t count, const struct bench_options *options,
                        struct measurement_list *list, struct error *error)
{
    struct session session = {.problem = problem,
                              .candidates = candidates,
                              .count = count,
                              .options = options,
                              .list = list,
                              .begin = list->count};
    session.is_out = calloc(count + 1, sizeof *session.is_out);
    if (!session.is_out)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
    struct child_limits own_limits = judge_limits(limits);
    own_limits.idle_threads_sleep = !uses_host_threads(candidates, count);
    enum status status = STATUS_OK;
    if (user_rung_name()[0] && !user_rung_is_module())
        pocl_cache_copy(user_rung_folder()); /* what the ladder was compiled to */
    for (bool is_over = false; status == STATUS_OK && !is_over;) {
        status = child_start("bench", user_rung_arguments(), &own_limits, &session.child, error);
        session.child.limits.memory_bytes = memory_most(problem, candidates, count, session.child.limits.memory_bytes);
        if (status == STATUS_OK)
            status = run_child(&session, &is_over, error);
        child_end(&session.child);
    }
    put_in_order(&session);
    free(session.is_out);
    return status;
}

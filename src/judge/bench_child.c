/* The timing child: one problem, its rungs in rounds, interleaved with the ceilings' probes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/threads.h"
#include "judge/judge.h"
#include "judge/parcel.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "lab/bench/compile_ahead.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/neighbours.h"
#include "lab/verification/process_code.h"
#include "walls/walls.h"

struct benching {
    struct child_link *parent;
    struct bench_job job;
    struct problem problem;
    struct candidate *candidates;
    size_t count;
    struct measurement_list ceilings, list;
    size_t stages; /* compiled ahead */
};

/* A message that finds no memory is left out: the final message says so. */
static void finished(void *context, struct measurement *measurement)
{
    const struct benching *benching = context;
    parcel_report(benching->parent, JUDGE_MEASURED, measurement);
}

static void progress(void *context, const char *what, double fraction)
{
    (void)context;
    (void)what;
    under_way_now()->fraction = fraction; /* polled by the parent; a message would disturb the timed runs */
}

static enum status add_candidate(struct benching *benching, const struct candidate_job *job, struct error *error)
{
    struct candidate *grown = reallocarray(benching->candidates, benching->count + 1, sizeof *grown);
    if (!grown)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    benching->candidates = grown;
    struct candidate *added = &grown[benching->count++];
    *added = (struct candidate){.rung = rung_by_name(benching->problem.kernel, job->rung, error),
                                .parameters = job->parameters};
    return added->rung ? judge_device(&job->device, &added->device, error) : STATUS_INVALID;
}

static enum status add_ceiling(struct benching *benching, const struct child_message *message, struct error *error)
{
    struct measurement received;
    struct measurement *added =
        parcel_unpack(message->data, message->bytes, &received) ? measurement_list_add(&benching->ceilings) : NULL;
    if (!added)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    *added = received;
    return STATUS_OK;
}

static enum status take_job(struct benching *benching, struct error *error)
{
    struct child_message message;
    enum status status = STATUS_OK;
    bool is_whole = false;
    while (status == STATUS_OK && !is_whole && child_receive(benching->parent, &message)) {
        if (message.type == JUDGE_BENCH && message.bytes == sizeof benching->job) {
            memcpy(&benching->job, message.data, sizeof benching->job);
            threads_set(benching->job.threads);
            status = problem_parse(benching->job.problem, &benching->problem, error);
            if (status == STATUS_OK)
                status = threads_suffice(benching->job.threads, 0, error);
        } else if (message.type == JUDGE_CONTENDER && message.bytes == sizeof(struct candidate_job)) {
            status = add_candidate(benching, message.data, error);
        } else if (message.type == JUDGE_CEILING) {
            status = add_ceiling(benching, &message, error);
        }
        is_whole = message.type == JUDGE_GO;
        free(message.data);
    }
    return status == STATUS_OK && !is_whole ? fail(error, STATUS_INVALID, "the parent is gone") : status;
}

static void end_at_once(int number)
{
    _exit(128 + number);
}

/* A file in C shares this process with the clock. */
static void judge_code(struct measurement_list *list)
{
    struct error why;
    if (process_code_check(&why) == STATUS_OK)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].rung, user_rung_name()) == 0)
            conclude_measurement(&list->items[i], VERDICT_FAIL, why.text);
}

/* Lets others go first. */
static void step_back(int niceness)
{
    if (nice(niceness) < 0)
        errno = 0; /* a wish */
}

/* A library is awaited for some seconds only, so it goes last. */
static void report_stage(void *context)
{
    struct benching *benching = context;
    const int64_t now = clock_now();
    child_report(benching->parent, JUDGE_STAGE, &now, sizeof now);
    if (benching->stages++ == 0)
        step_back(AHEAD_LIBRARY_NICENESS - AHEAD_NICENESS);
}

static enum status compile_ahead(struct benching *benching, struct error *error)
{
    const struct compile_ahead how = {benching->job.probe_ceilings, report_stage, benching};
    threads_set(1);
    step_back(AHEAD_NICENESS);
    return lab_compile(&benching->problem, benching->candidates, benching->count, &how, error);
}

static enum status time_candidates(struct benching *benching, struct bench_options *options, struct error *error)
{
    const struct problem *problem = &benching->problem;
    if (!benching->job.neighbours_of[0])
        return lab_bench(problem, benching->candidates, benching->count, options, &benching->list, error);
    options->neighbours_of = rung_by_name(problem->kernel, benching->job.neighbours_of, error);
    return options->neighbours_of
               ? neighbours_bench(problem, benching->candidates, benching->count, options, &benching->list, error)
               : STATUS_INVALID;
}

int bench_child(struct child_link *parent, int argc, char **argv)
{
    struct benching benching = {.parent = parent};
    struct judge_done done = {.status = STATUS_OK};
    judge_child_begin(false); /* no guard pages: the placement of arrays is part of what is timed */
    interrupt_install(end_at_once);
    done.status = judge_take_user_rung(argc, argv, &done.error);
    if (done.status == STATUS_OK)
        done.status = take_job(&benching, &done.error);
    if (done.status == STATUS_OK && benching.count)
        done.status = judge_close_walls(benching.candidates[0].device, &done.error);
    const struct bench_job *job = &benching.job;
    struct bench_options options = {
        .seconds = job->seconds,
        .precision = job->precision,
        .cold = job->cold,
        .end_to_end = job->end_to_end,
        .probe_ceilings = job->probe_ceilings,
        .ceilings = job->has_ceilings ? &benching.ceilings : NULL,
        .is_rough = job->is_rough,
        .samples_least = job->samples_least,
        .repeat = job->repeat,
        .rounds_most = job->rounds_most,
        .senses = !walls_are_entered(),
        .counters = job->counters && !walls_are_entered(),
        .progress = progress,
        .finished = finished,
        .finished_context = &benching,
    };
    if (done.status == STATUS_OK && job->is_ahead)
        done.status = compile_ahead(&benching, &done.error);
    else if (done.status == STATUS_OK)
        done.status = time_candidates(&benching, &options, &done.error);
    judge_code(&benching.list);
    for (size_t i = 0; i < benching.list.count; i++)
        if (!parcel_report(parent, JUDGE_FINAL, &benching.list.items[i]) && done.status == STATUS_OK)
            done.status = fail(&done.error, STATUS_UNAVAILABLE, "no memory for another measurement");
    message_pack(done.error.text, done.origin);
    child_report(parent, JUDGE_DONE, &done, sizeof done);
    return 0;
}

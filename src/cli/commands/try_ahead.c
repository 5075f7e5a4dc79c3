/* uskor try: programs are compiled while the file is verified. The file's own check compiles its variants; another
 * child compiles what it is timed beside. Both have ended when the timing begins. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/message.h"
#include "cli/commands/try_job.h"
#include "lab/bench/describe.h"

/* A library that is not ready when all else is has a twentieth more of the time that this took, and at most half of the
 * time that it has had. So one that never ends in time costs a trial little, on a fast machine as on a slow one, and
 * next to nothing where it has only begun: beside a long ladder, or in a later trial, which has little else to do. */
#define LIBRARY_SHARE 20
#define LIBRARY_OWN_SHARE 2

/* All but the file itself, which its check compiles. */
static void start(struct try_job *job, const struct problem *problem, struct candidate *all, size_t count)
{
    struct judge_ahead *child = &job->ahead.child;
    const struct bench_options options = try_options(job, all[0].device);
    struct error unused;
    size_t others = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].rung != job->user.rung)
            all[others++] = all[i];
    if (others && judge_ahead_start(child, &job->judge.limits, problem, all, others, &options, &unused) != STATUS_OK)
        judge_ahead_stop(child);
}

void try_ahead_start(struct try_job *job, struct device *device)
{
    struct problem *problems = NULL;
    struct candidate *all = NULL;
    size_t problem_count, count;
    struct error unused;
    char text[PROBLEM_TEXT_MAX];
    if (device->backend->kind == BACKEND_CPU)
        return;
    job->ahead.begun = clock_now();
    if (problem_parse_range(try_first_problem(job, device, text), &problems, &problem_count, &unused) == STATUS_OK &&
        problem_count && problems[0].kernel == job->kernel &&
        try_candidates(job, &problems[0], device, &all, &count, &unused) == STATUS_OK)
        start(job, &problems[0], all, count);
    free(all);
    free(problems);
}

static int64_t library_until(const struct try_ahead *ahead)
{
    const int64_t now = clock_now(), last = ahead->child.last_stage;
    const int64_t all = (now - ahead->begun) / LIBRARY_SHARE, own = last ? (now - last) / LIBRARY_OWN_SHARE : 0;
    return now + (own < all ? own : all);
}

void try_ahead_end(struct try_job *job, struct candidate *candidates, size_t *count)
{
    struct try_ahead *ahead = &job->ahead;
    const bool is_named = job->beside.rung_name_count > 0;
    size_t kept = 0, stages = 1;
    ahead->late_count = 0;
    judge_ahead_wait(&ahead->child, stages, 0);
    const int64_t until = is_named ? 0 : library_until(ahead);
    for (size_t i = 0; i < *count; i++) {
        const bool is_library = candidates[i].rung->kind == RUNG_VENDOR && candidates[i].rung != job->user.rung;
        if (is_library && ahead->late_count < TRY_LIBRARIES_MOST && !judge_ahead_wait(&ahead->child, ++stages, until))
            ahead->late[ahead->late_count++] = candidates[i];
        else
            candidates[kept++] = candidates[i];
    }
    *count = kept;
    ahead->waited = clock_now() - ahead->begun;
    try_ahead_stop(job);
}

enum status try_ahead_note(struct try_job *job, const struct problem *problem, struct error *error)
{
    const struct try_ahead *ahead = &job->ahead;
    for (size_t i = 0; i < ahead->late_count; i++) {
        const char *name = ahead->late[i].rung->name;
        char reason[160];
        struct measurement *added = measurement_list_add(&job->session.list);
        if (!added)
            return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        explain(reason, sizeof reason,
                "not timed: after %.0f s it still compiled its kernels; --beside %s waits for it",
                (double)ahead->waited / 1e9, name);
        describe_measurement(added, problem, &ahead->late[i], false);
        conclude_measurement(added, VERDICT_SKIP, reason);
    }
    return STATUS_OK;
}

void try_ahead_stop(struct try_job *job)
{
    judge_ahead_stop(&job->ahead.child);
}

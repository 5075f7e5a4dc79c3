/* uskor try: programs are compiled while the file is verified. The file's own check compiles its variants; these
 * children compile what it is timed beside. All of them have ended when the timing begins. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "cli/commands/try_job.h"
#include "lab/bench/describe.h"

/* A library has as long as the verification and the ladder's compilation take, and at least this from their begin. */
#define LIBRARY_NS INT64_C(6000000000)

/* A library is awaited for some seconds only, so it goes last. */
#define LADDER_NICENESS 1
#define LIBRARY_NICENESS 10

static void start_one(struct try_job *job, struct judge_ahead *ahead, const struct problem *problem,
                      const struct candidate *candidates, size_t count, bool is_library)
{
    struct error unused;
    struct bench_options options = try_options(job, candidates[0].device);
    options.probe_ceilings = options.probe_ceilings && !is_library;
    if (judge_ahead_start(ahead, &job->judge.limits, problem, candidates, count, &options,
                          is_library ? LIBRARY_NICENESS : LADDER_NICENESS, &unused) != STATUS_OK)
        judge_ahead_stop(ahead);
}

/* One child for the ladder and the probes, one for each library. */
static void start_all(struct try_job *job, const struct problem *problem, struct candidate *all, size_t count)
{
    struct try_ahead *ahead = &job->ahead;
    size_t ladder = 0;
    for (size_t i = 0; i < count; i++) {
        const struct candidate one = all[i];
        bool is_library = one.rung->kind == RUNG_VENDOR && ahead->count < TRY_LIBRARIES_MOST;
        if (one.rung == job->user.rung)
            continue;
        if (!is_library) {
            all[ladder++] = one;
            continue;
        }
        ahead->rungs[ahead->count] = one.rung;
        start_one(job, &ahead->libraries[ahead->count++], problem, &one, 1, true);
    }
    if (ladder)
        start_one(job, &ahead->ladder, problem, all, ladder, false);
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
        start_all(job, &problems[0], all, count);
    free(all);
    free(problems);
}

void try_ahead_end(struct try_job *job, struct candidate *candidates, size_t *count)
{
    struct try_ahead *ahead = &job->ahead;
    const bool is_named = job->beside.rung_name_count > 0;
    size_t kept = 0;
    ahead->late_count = 0;
    judge_ahead_end(&ahead->ladder, 0);
    for (size_t i = 0; i < *count; i++) {
        bool is_late = false;
        for (size_t l = 0; l < ahead->count; l++)
            if (candidates[i].rung == ahead->rungs[l])
                is_late = !judge_ahead_end(&ahead->libraries[l], is_named ? 0 : ahead->begun + LIBRARY_NS);
        if (is_late)
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
    struct try_ahead *ahead = &job->ahead;
    judge_ahead_stop(&ahead->ladder);
    for (size_t l = 0; l < ahead->count; l++)
        judge_ahead_stop(&ahead->libraries[l]);
    ahead->count = 0;
}

/* uskor try: times the file beside the rungs it is compared with. */
#include <stdlib.h>

#include "cli/commands/try_job.h"
#include "lab/bench/memory_need.h"

#define ROUNDS_MOST 20 /* of five samples each, of a rung that takes microseconds */

static enum status bench(struct try_job *job, const struct problem *problem, struct device *device, struct error *error)
{
    struct bench_session *session = &job->session;
    struct candidate *all = NULL;
    size_t count = 0;
    enum status status = try_candidates(job, problem, device, &all, &count, error);
    if (status == STATUS_OK)
        status = memory_need_check(problem, all, count, 0, error);
    if (status == STATUS_OK)
        try_ahead_end(job, all, &count);
    struct bench_options options = try_options(job, device);
    options.rounds_most = ROUNDS_MOST;
    options.neighbours_of = job->beside.rung_name_count == 0 ? job->user.rung : NULL;
    if (status == STATUS_OK)
        status = judge_bench(&job->judge.limits, problem, all, count, &options, &session->list, error);
    if (status == STATUS_OK)
        status = try_ahead_note(job, problem, error);
    free(all);
    return status;
}

enum status try_bench(struct try_job *job, struct device *device, struct error *error)
{
    struct bench_session *session = &job->session;
    enum status status = STATUS_OK;
    judge_close(&job->judge);
    try_advice_settle(job);
    for (size_t t = 2; status == STATUS_OK && (t < session->target_count || t == 2); t++) {
        struct problem *problems;
        size_t count;
        char usual[PROBLEM_TEXT_MAX];
        const char *text = t < session->target_count ? session->targets[t] : try_first_problem(job, device, usual);
        status = problem_parse_range(text, &problems, &count, error);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = bench(job, &problems[i], device, error);
        free(problems);
    }
    return status;
}

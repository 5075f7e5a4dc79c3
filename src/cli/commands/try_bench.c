/* uskor try: times the file beside the rungs it is compared with. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/try_job.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/neighbours.h"

#define LOOK_SECONDS 0.01 /* for each rung, to find the rungs nearest in speed */

/* Selects from `all`, by a short measurement, the rungs nearest to the file in speed. */
static enum status find_neighbours(struct try_job *job, const struct problem *problem, struct candidate *all,
                                   size_t *count, struct error *error)
{
    struct candidate chosen[NEIGHBOURS_MOST];
    struct measurement_list look = {0};
    struct bench_options quick = job->session.options;
    quick.seconds = LOOK_SECONDS;
    quick.end_to_end = quick.probe_ceilings = false;
    quick.finished = NULL;
    enum status status = judge_bench(&job->judge.limits, problem, all, *count, &quick, &look, error);
    if (status == STATUS_OK) {
        *count = neighbours_choose(job->user.rung, &look, all, *count, chosen);
        memcpy(all, chosen, *count * sizeof *all);
    }
    measurement_list_free(&look);
    return status;
}

/* The rungs that the user named, and the file. */
static enum status choose_named(struct try_job *job, struct selection *one, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < job->beside.rung_name_count; i++)
        status = selection_add_rung(one, job->beside.rung_names[i], error);
    return status == STATUS_OK ? selection_add_rung(one, job->user.rung->name, error) : status;
}

static enum status bench(struct try_job *job, const struct problem *problem, struct device *device, struct error *error)
{
    struct bench_session *session = &job->session;
    struct selection one = session->selection;
    struct candidate *all = NULL;
    size_t count = 0;
    bool is_named = job->beside.rung_name_count > 0;
    one.devices[0] = device;
    one.device_count = 1;
    enum status status = is_named ? choose_named(job, &one, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = selection_candidates(&one, problem, &all, &count, error);
    if (status == STATUS_OK)
        status = memory_need_check(problem, all, count, 0, error);
    if (status == STATUS_OK && !is_named)
        status = find_neighbours(job, problem, all, &count, error);
    if (status == STATUS_OK)
        status = judge_bench(&job->judge.limits, problem, all, count, &session->options, &session->list, error);
    free(all);
    return status;
}

enum status try_bench(struct try_job *job, struct device *device, struct error *error)
{
    struct bench_session *session = &job->session;
    const struct kernel *kernel = job->kernel;
    /* A small problem where a CPU computes: a trial takes seconds. */
    const char *usual =
        device->properties.is_cpu && kernel->cpu_opencl_bench ? kernel->cpu_opencl_bench : kernel->bench;
    enum status status = STATUS_OK;
    for (size_t t = 2; status == STATUS_OK && (t < session->target_count || t == 2); t++) {
        struct problem *problems;
        size_t count;
        status = problem_parse_range(t < session->target_count ? session->targets[t] : usual, &problems, &count, error);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = bench(job, &problems[i], device, error);
        free(problems);
    }
    return status;
}

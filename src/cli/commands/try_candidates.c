/* uskor try: what the file is timed on, and beside which rungs. */
#include "cli/commands/try_job.h"

const char *try_first_problem(const struct try_job *job, const struct device *device)
{
    const struct kernel *kernel = job->kernel;
    if (job->session.target_count > 2)
        return job->session.targets[2];
    /* A small problem where a CPU computes: a trial takes seconds. */
    return device->properties.is_cpu && kernel->cpu_opencl_bench ? kernel->cpu_opencl_bench : kernel->bench;
}

/* The rungs that the user named, and the file. */
static enum status choose_named(const struct try_job *job, struct selection *one, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < job->beside.rung_name_count; i++)
        status = selection_add_rung(one, job->beside.rung_names[i], error);
    return status == STATUS_OK ? selection_add_rung(one, job->user.rung->name, error) : status;
}

enum status try_candidates(const struct try_job *job, const struct problem *problem, struct device *device,
                           struct candidate **candidates, size_t *count, struct error *error)
{
    struct selection one = job->session.selection;
    one.devices[0] = device;
    one.device_count = 1;
    enum status status = job->beside.rung_name_count > 0 ? choose_named(job, &one, error) : STATUS_OK;
    return status == STATUS_OK ? selection_candidates(&one, problem, candidates, count, error) : status;
}

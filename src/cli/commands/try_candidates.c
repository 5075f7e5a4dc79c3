/* uskor try: what the file is timed on, and beside which rungs. */
#include "cli/commands/try_job.h"

static bool is_served(const struct try_job *job, const struct problem *problem, const struct device *device)
{
    struct parameters parameters;
    struct error unused;
    char reason[256];
    return rung_defaults(job->user.rung, problem, &parameters, &unused) == STATUS_OK &&
           !rung_refuses(job->user.rung, problem, device, &parameters, reason, sizeof reason);
}

enum element_type try_type(const struct try_job *job, const struct device *device)
{
    const struct kernel *kernel = job->kernel;
    struct problem problem;
    struct error unused;
    if (problem_parse(kernel->bench, &problem, &unused) != STATUS_OK)
        return job->user.type;
    problem.type = job->user.type;
    for (size_t t = 0; !is_served(job, &problem, device) && t < kernel->type_count; t++) {
        problem.type = kernel->types[t];
        if (is_served(job, &problem, device))
            return problem.type;
    }
    return job->user.type;
}

const char *try_first_problem(const struct try_job *job, const struct device *device, char text[PROBLEM_TEXT_MAX])
{
    const struct kernel *kernel = job->kernel;
    struct problem problem;
    struct error unused;
    if (job->session.target_count > 2)
        return job->session.targets[2];
    /* A small problem where a CPU computes: a trial takes seconds. */
    const char *usual =
        device->properties.is_cpu && kernel->cpu_opencl_bench ? kernel->cpu_opencl_bench : kernel->bench;
    if (problem_parse(usual, &problem, &unused) != STATUS_OK || is_served(job, &problem, device))
        return usual;
    for (size_t t = 0; t < kernel->type_count; t++) { /* a kernel of doubles, or of integers */
        problem.type = kernel->types[t];
        if (is_served(job, &problem, device))
            return problem_text(&problem, text);
    }
    return usual;
}

/* Seconds that each rung is timed. On OpenCL on a CPU the order of rungs says nothing about a GPU. */
#define TIMED_SECONDS 0.2
#define TIMED_SECONDS_ON_CPU 0.1

struct bench_options try_options(const struct try_job *job, const struct device *device)
{
    struct bench_options options = job->session.options;
    bool is_opencl_on_cpu = device->properties.is_cpu && device->backend->kind != BACKEND_CPU;
    if (options.seconds == 0)
        options.seconds = is_opencl_on_cpu ? TIMED_SECONDS_ON_CPU : TIMED_SECONDS;
    return options;
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

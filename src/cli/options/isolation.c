#include "cli/options/isolation.h"

#include <stdio.h>
#include <string.h>

#include "base/child_process.h"
#include "base/text.h"
#include "judge/judge.h"
#include "lab/bench/halving.h"

/* PoCL, llvmpipe and their like run a kernel as code of this very process: it can do to the program all that a host
 * rung can. */
static bool runs_here(const struct device *device)
{
    return (device->backend->kind & (BACKEND_OPENCL | BACKEND_OPENGL)) && device->properties.is_cpu;
}

bool isolation_wanted(const struct isolation *isolation, struct device *const *devices, size_t count, bool by_default)
{
    if (!child_process_possible() || isolation->wish == ISOLATION_NEVER)
        return false;
    bool wanted = by_default || isolation->wish == ISOLATION_ALWAYS;
    for (size_t i = 0; i < count; i++)
        wanted = wanted || runs_here(devices[i]);
    return wanted;
}

enum status isolation_bench(const struct isolation *isolation, const struct problem *problem,
                            const struct candidate *candidates, size_t count, const struct bench_options *options,
                            struct measurement_list *list, struct error *error)
{
    const struct child_limits limits = {.seconds = isolation->seconds};
    bool wanted = false;
    for (size_t i = 0; i < count; i++) {
        bool is_guarded = isolation->guards_vendors && candidates[i].rung->kind == RUNG_VENDOR;
        wanted = wanted || isolation_wanted(isolation, &candidates[i].device, 1, is_guarded);
    }
    return wanted ? judge_bench(&limits, problem, candidates, count, options, list, error)
                  : lab_bench(problem, candidates, count, options, list, error);
}

static enum status bench_for_race(void *context, const struct problem *problem, const struct candidate *candidates,
                                  size_t count, const struct bench_options *options, struct measurement_list *list,
                                  struct error *error)
{
    return isolation_bench(context, problem, candidates, count, options, list, error);
}

enum status isolation_race(const struct isolation *isolation, const struct bench_options *options, size_t last,
                           const struct problem *problem, struct candidate *candidates, size_t *count,
                           struct error *error)
{
    struct isolation own = *isolation;
    const struct halving halving = {bench_for_race, &own, options, last};
    return halving_race(&halving, problem, candidates, count, error);
}

bool isolation_read_limit(const char *text, double *seconds)
{
    char number[32];
    size_t length = strlen(text);
    double factor = 1;
    if (length == 0 || length >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%s", text);
    if (number[length - 1] == 's' || number[length - 1] == 'm') {
        factor = number[length - 1] == 'm' ? 60 : 1;
        number[length - 1] = 0;
    }
    if (!text_real(number, seconds))
        return false;
    *seconds *= factor;
    return *seconds >= 0.1 && *seconds <= 86400;
}

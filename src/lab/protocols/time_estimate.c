#include "lab/protocols/time_estimate.h"

#include <math.h>

#include "publications/measured.h"

#define BUILD_SECONDS 0.3     /* compiling */
#define CHECK_NS_OF_A_BYTE 4  /* making the data, and looking at every element twice */
#define OTHER_RUNS 4          /* a check before, one after, and the warm-up */
#define LEAST_RUNS 5          /* lab_bench takes no fewer unless they take four times its time */
#define PLAYED_GPU_FACTOR 100 /* a processor that plays a GPU, against a publication's GPU */
#define NS_OF_AN_OPERATION 1  /* of a rung that nothing is known of */
#define NS_OF_A_PLAYED_OPERATION 4

/* Work that grows as the time does: operations, or bytes where nothing is computed. */
static double cost_of(const struct problem *problem)
{
    struct cost cost = problem->kernel->cost(problem);
    return fmax(cost.operations, cost.bytes_read + cost.bytes_written);
}

/* The cost at another size over the cost at the step's own. */
static double cost_ratio(const struct protocol_step *step, int64_t size)
{
    char text[PROBLEM_TEXT_MAX];
    struct problem other;
    if (size == step->size || !fill_size(step->run->problem, size, text, sizeof text) ||
        problem_parse(text, &other, NULL) != STATUS_OK)
        return 1;
    double own = cost_of(&step->problem), cost = cost_of(&other);
    return own > 0 && cost > 0 ? cost / own : 1;
}

/* The time of one run in ns, from the measurement at the nearest size; 0 when there is none. */
static double from_measurements(const struct protocol_step *step, const struct measurement_list *list, bool whole)
{
    const struct publication_run *run = step->run;
    double nearest = 0, time = 0;
    for (size_t i = 0; list && i < (run->size_count ? run->size_count : 1); i++) {
        int64_t size = run->size_count ? run->sizes[i] : 0;
        struct mean mean = measured_mean(list, run, size, NULL, step->candidate.device->id, whole);
        double ratio = cost_ratio(step, size), distance = fabs(log(ratio));
        if (mean.value > 0 && (time <= 0 || distance < nearest)) {
            nearest = distance;
            time = mean.value / ratio;
        }
    }
    return time;
}

/* A processor that plays a GPU. */
static bool plays_gpu(const struct device *device)
{
    return technology_of_device(device->id) != TECHNOLOGY_CPU && device->properties.is_cpu;
}

static double from_operations(const struct protocol_step *step)
{
    const struct device *device = step->candidate.device;
    uint32_t units = device->properties.units ? device->properties.units : 1;
    return (plays_gpu(device) ? NS_OF_A_PLAYED_OPERATION : NS_OF_AN_OPERATION) * cost_of(&step->problem) / units;
}

static double from_publication(const struct publication *publication, const struct protocol_step *step)
{
    const struct publication_run *run = step->run;
    enum technology technology = technology_of_device(step->candidate.device->id);
    double nearest = 0, time = 0;
    for (size_t i = 0; i < (run->size_count ? run->size_count : 1); i++) {
        struct tie tie = {.run = run, .size = run->size_count ? run->sizes[i] : 0, .technology = technology};
        double mean, deviation;
        if (!published_time(publication, &tie, &mean, &deviation)) {
            tie.technology = 0;
            if (!published_time(publication, &tie, &mean, &deviation))
                continue;
        }
        double ratio = cost_ratio(step, tie.size), distance = fabs(log(ratio));
        if (time <= 0 || distance < nearest) {
            nearest = distance;
            time = mean / ratio;
        }
    }
    /* What a publication's small sizes have cost is often the way there, which a processor does not go. */
    return plays_gpu(step->candidate.device) && time > 0 ? fmin(time * PLAYED_GPU_FACTOR, from_operations(step)) : time;
}

double estimate_step_time(const struct publication *publication, const struct protocol_step *step,
                          const struct protocol_options *options, const struct measurement_list *known,
                          const struct measurement_list *past, bool *is_guess)
{
    double run = from_measurements(step, known, publication->end_to_end);
    if (run <= 0)
        run = from_measurements(step, past, publication->end_to_end);
    if (is_guess)
        *is_guess = run <= 0;
    if (run <= 0)
        run = from_publication(publication, step);
    if (run <= 0)
        run = from_operations(step);
    double seconds = run / 1e9;
    unsigned repeat = options->bench.repeat ? options->bench.repeat : publication->repeat;
    double timed = repeat
                       ? repeat * seconds
                       : fmax(options->bench.seconds, fmin(LEAST_RUNS * seconds, 4 * options->bench.seconds + seconds));
    struct cost cost = step->problem.kernel->cost(&step->problem);
    double checks = CHECK_NS_OF_A_BYTE * 1e-9 * (cost.bytes_read + cost.bytes_written);
    return BUILD_SECONDS + checks + OTHER_RUNS * seconds + timed;
}

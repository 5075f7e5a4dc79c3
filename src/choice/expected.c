#include "choice/expected.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "kernels/rung_header.h"

/* Steps of a group, and launches in a run. */
enum walk { STEPS, WALKS, PAIRS, ONCE, ROWS };
static const char *const walks[][2] = {
    [STEPS] = {"1", "steps"},
    [WALKS] = {"min(DEPTH, nz) + 4", "steps"},
    [PAIRS] = {"min(DEPTH, nz) + 8", "steps / 2"},
    [ONCE] = {"1", "1"},
    [ROWS] = {"ROWS", "1"},
};

/* What a launch costs: a constant, the steps, the rounds of groups beyond the first, the groups beyond those resident
 * at once, and the megabytes, beyond a cache once more. Nanoseconds, on an H200, least squares of relative errors. */
enum { LAUNCH, STEP, ROUND, BEYOND, MEGABYTE, FAR, COSTS };

struct launch_costs {
    char rung[16];
    unsigned char wide;     /* value of the tunable WIDE; 0: any, or none */
    unsigned char resident; /* groups on a multiprocessor at once */
    unsigned char walk;
    float costs[COSTS];
};

#define CACHE_BYTES 48e6

static const struct launch_costs of_wave[] = {
    {"naive", 0, 8, STEPS, {0, 3507, 396.7, 831.1, 700.5, 0}},
    {"tiled", 0, 4, STEPS, {0, 4071.5, 204.9, 1367.6, 78.6, 0}},
    {"streaming", 1, 1, WALKS, {3247.3, 217.5, 103.3, 0, 37.9, 0}},
    {"streaming", 2, 1, WALKS, {1843.4, 244.3, 16.8, 0, 264.8, 304.3}},
    {"streaming", 4, 1, WALKS, {1626.3, 323.1, 8.7, 140.3, 144.5, 0.8}},
    {"temporal", 1, 2, PAIRS, {1419.9, 430, 224.5, 0, 130.8, 48.9}},
    {"temporal", 2, 1, PAIRS, {0, 560.2, 42.2, 0, 107, 0}},
    {"temporal", 4, 1, PAIRS, {0, 688.9, 0, 364.3, 19.6, 38.6}},
    {"temporal-async", 0, 1, PAIRS, {0, 800.2, 0, 824.7, 11.1, 19.8}},
    {"", 0, 0, 0, {0}},
};

static const struct launch_costs of_resize[] = {
    {"plain", 0, 6, ONCE, {0, 3862.5, 124.4, 1265.3, 105.4, 29.1}},
    {"fp32", 0, 8, ONCE, {0, 3832, 510.8, 952.1, 158, 31.3}},
    {"vector", 0, 8, ONCE, {0, 3858, 160.8, 1353.2, 63.7, 28.5}},
    {"texture", 0, 8, ONCE, {0, 5142.9, 523.3, 0, 0, 391.1}},
    {"rows", 0, 1, ROWS, {4207.1, 0, 0, 0, 635.4, 0}},
    {"packed", 0, 7, ROWS, {0, 1924.8, 84.1, 1122.9, 0, 0}},
    {"", 0, 0, 0, {0}},
};

static int wide_of(const struct rung *rung, const struct parameters *parameters)
{
    for (size_t i = 0; i < rung->tunable_count; i++)
        if (strcmp(rung->tunables[i].name, "WIDE") == 0)
            return (int)parameters->values[i];
    return 0;
}

/* Of an OpenCL device that is a CPU only waves are known. */
static const struct launch_costs *find(const struct rung *rung, const struct problem *problem, int wide, bool is_cpu)
{
    const char *kernel = problem->kernel->name;
    const struct launch_costs *one = strcmp(kernel, "wave") == 0                ? of_wave
                                     : strcmp(kernel, "resize") == 0 && !is_cpu ? of_resize
                                                                                : NULL;
    for (; one && *one->rung; one++)
        if (strcmp(one->rung, rung->name) == 0 && (one->wide == 0 || one->wide == wide))
            return one;
    return NULL;
}

/* What the header's expressions say of the run's launches. False where they cannot be evaluated. */
static bool shape_of(const struct run *run, const struct launch_costs *of, double *groups, double *items, int64_t *walk,
                     int64_t *launches)
{
    struct launch launch;
    if (device_rung_shape(run, &launch, NULL) != STATUS_OK ||
        device_rung_integer(run, walks[of->walk][0], walk, NULL) != STATUS_OK ||
        device_rung_integer(run, walks[of->walk][1], launches, NULL) != STATUS_OK)
        return false;
    *groups = (double)launch.groups[0] * (double)launch.groups[1] * (double)launch.groups[2];
    *items = (double)launch.group[0] * (double)launch.group[1] * (double)launch.group[2];
    return true;
}

double expected_time(const struct rung *rung, const struct problem *problem, const struct device *device, int threads)
{
    struct run run = {.rung = rung, .problem = problem, .device = (struct device *)device};
    double groups, items;
    int64_t walk, launches;
    if (rung_defaults(rung, problem, &run.parameters, NULL) != STATUS_OK)
        return 0;
    if (rung->load)
        return rung->load(problem, &run.parameters, threads > 0 ? threads : 1);
    if (!rung->source || device->properties.units == 0)
        return 0;
    const bool is_cpu = device->properties.is_cpu;
    const int wide = wide_of(rung, &run.parameters);
    const struct launch_costs *of = find(rung, problem, wide, is_cpu);
    if (!of || !shape_of(&run, of, &groups, &items, &walk, &launches))
        return 0;
    if (is_cpu) /* it makes one item of a group after another, those beyond the field, too; vectors cost as items */
        return (double)launches * (double)walk * groups * items;
    const struct cost cost = problem->kernel->cost(problem);
    const double bytes = (cost.bytes_read + cost.bytes_written) / fmax((double)launches, 1);
    const double rounds = groups / ((double)device->properties.units * of->resident);
    const double steps =
        of->costs[STEP] + of->costs[ROUND] * (ceil(rounds) - 1) + of->costs[BEYOND] * fmax(0, rounds - 1);
    return (double)launches * (of->costs[LAUNCH] + (double)walk * steps + of->costs[MEGABYTE] * bytes / 1e6 +
                               of->costs[FAR] * fmax(0, bytes - CACHE_BYTES) / 1e6);
}

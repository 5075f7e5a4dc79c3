#include "choice/expected.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "kernels/rung_header.h"

/* Steps of a group, and launches in a run. */
enum walk { STEPS, WALKS, PAIRS, ONCE, ROWS, DEPTH };
static const char *const walks[][2] = {
    [STEPS] = {"1", "steps"},
    [WALKS] = {"min(DEPTH, nz) + 4", "steps"},
    [PAIRS] = {"min(DEPTH, nz) + 8", "steps / 2"},
    [ONCE] = {"1", "1"},
    [ROWS] = {"ROWS", "1"},
    [DEPTH] = {"k", "1"},
};

/* What a launch costs: a constant, the steps, the rounds of groups beyond the first, the groups beyond those resident
 * at once, and the megabytes, beyond a cache once more. Nanoseconds, on an H200, least squares of relative errors. */
enum { LAUNCH, STEP, ROUND, BEYOND, MEGABYTE, FAR, COSTS };

struct launch_costs {
    char rung[20];
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

/* Of floats, through OpenCL. The caches' rungs are scaled as `tiled` is: their times follow no such sum. */
static const struct launch_costs of_matmul[] = {
    {"global-accumulate", 0, 1, DEPTH, {4777, 286.9, 107.4, 0, 0, 0}},
    {"naive", 0, 8, DEPTH, {3636.7, 77.2, 59.3, 33.7, 697.6, 0}},
    {"row-cache", 0, 1, DEPTH, {3979.1, 31.6, 17, 13.5, 1123.5, 0}},
    {"column-cache", 0, 1, DEPTH, {3979.1, 31.6, 17, 13.5, 1123.5, 0}},
    {"tiled", 0, 1, DEPTH, {3979.1, 31.6, 17, 13.5, 1123.5, 0}},
    {"tiled-unrolled", 0, 1, DEPTH, {4754.5, 21.7, 6.2, 8.8, 646.4, 0}},
    {"register-tiles", 0, 1, DEPTH, {2742.2, 113, 23.8, 12.4, 773, 0}},
    {"double-buffered", 0, 1, DEPTH, {5776, 112.1, 88.7, 11.4, 811.2, 0}},
    {"", 0, 0, 0, {0}},
};

static int wide_of(const struct rung *rung, const struct parameters *parameters)
{
    for (size_t i = 0; i < rung->tunable_count; i++)
        if (strcmp(rung->tunables[i].name, "WIDE") == 0)
            return (int)parameters->values[i];
    return 0;
}

struct table {
    const char *kernel;
    const struct launch_costs *costs;
    bool is_time; /* of one rung beside another, too */
};
static const struct table tables[] = {
    {"wave", of_wave, true}, {"resize", of_resize, true}, {"matmul", of_matmul, false}};
#define TABLES_OF_CPUS 1

/* The kernel's on such a device; NULL where there is none. Products: through OpenCL. */
static const struct table *table_of(const struct problem *problem, const struct device *device)
{
    const bool is_cuda = device->backend->kind == BACKEND_CUDA;
    for (size_t i = 0; i < (device->properties.is_cpu ? TABLES_OF_CPUS : COUNT_OF(tables)); i++)
        if (strcmp(problem->kernel->name, tables[i].kernel) == 0)
            return is_cuda && tables[i].costs == of_matmul ? NULL : &tables[i];
    return NULL;
}

static const struct launch_costs *find(const struct rung *rung, const struct table *table, int wide)
{
    for (const struct launch_costs *one = table ? table->costs : NULL; one && *one->rung; one++)
        if (strcmp(one->rung, rung->name) == 0 && (one->wide == 0 || one->wide == wide))
            return one;
    return NULL;
}

bool expected_is_time(const struct rung *rung, const struct problem *problem, const struct device *device)
{
    const struct table *table = table_of(problem, device);
    return table && table->is_time && !rung->load && !device->properties.is_cpu;
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
    const struct launch_costs *of = find(rung, table_of(problem, device), wide_of(rung, &run.parameters));
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

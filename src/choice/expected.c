#include "choice/expected.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "kernels/rung_header.h"

/* Steps of a group, launches in a run, how many walks divide the depth, and the steps of the last of these. */
enum walk { STEPS, WALKS, PAIRS, ONCE, ROWS, DEPTH, ITEMS, ROW_PIECES, COLUMN_PIECES };
static const char *const walks[][4] = {
    [STEPS] = {"1", "steps", "1", "1"},
    [WALKS] = {"min(DEPTH, nz) + 4", "steps", "ceil(nz / DEPTH)", "nz - (ceil(nz / DEPTH) - 1) * DEPTH + 4"},
    [PAIRS] = {"min(DEPTH, nz) + 8", "steps / 2", "ceil(nz / DEPTH)", "nz - (ceil(nz / DEPTH) - 1) * DEPTH + 8"},
    [ONCE] = {"1", "1", "1", "1"},
    [ROWS] = {"ROWS", "1", "1", "1"},
    [DEPTH] = {"k + 8", "1", "1", "k + 8"},
    [ITEMS] = {"k + 16", "1", "1", "k + 16"},
    [ROW_PIECES] = {"(k + 16) * ceil(n / GROUP)", "1", "1", "(k + 16) * ceil(n / GROUP)"},
    [COLUMN_PIECES] = {"(k + 16) * ceil(m / GROUP)", "1", "1", "(k + 16) * ceil(m / GROUP)"},
};

/* What a launch costs: a constant, the steps, the rounds of groups beyond the first, the groups beyond those resident
 * at once, and the megabytes, beyond a cache once more. Nanoseconds, on an H200, least squares of relative errors. */
enum { LAUNCH, STEP, ROUND, BEYOND, MEGABYTE, FAR, COSTS };

/* Of rungs whose groups walk along z or a product's depth, other costs. A step waits for the data that it asked for,
 * longer where that lies beyond the cache, and for its share of the multiprocessor: by each group on it. */
enum { WAIT = STEP, WAIT_FAR, SHARE, FAR_MEGABYTE };

struct launch_costs {
    char rung[20];
    unsigned char variant;  /* value of the tunable WIDE or TILE; 0: any, or none */
    unsigned char resident; /* groups on a multiprocessor at once */
    unsigned char walk;
    float costs[COSTS];
};

#define CACHE_BYTES 48e6
#define NEAR_BYTES 30e6   /* of a launch that walks: all planes are in the cache, */
#define FAR_BYTES 60e6    /* or none */
#define OPENCL_LAUNCH 500 /* more than CUDA's, where a launch begins before the last one ends */

static const struct launch_costs of_wave[] = {
    {"naive", 0, 8, STEPS, {0, 3507, 396.7, 831.1, 700.5, 0}},
    {"tiled", 0, 4, STEPS, {0, 4071.5, 204.9, 1367.6, 78.6, 0}},
    {"streaming", 1, 6, WALKS, {2064.5, 214.7, 253.7, 104.1, 173}},
    {"streaming", 2, 5, WALKS, {1641.6, 224.9, 351.6, 134.3, 171}},
    {"streaming", 4, 4, WALKS, {2046.7, 267.7, 304.6, 167, 237.4}},
    {"temporal", 1, 6, PAIRS, {1211.9, 408.5, 98, 227.1, 123.3}},
    {"temporal", 2, 5, PAIRS, {791.9, 466.7, 101.5, 235.7, 148.8}},
    {"temporal", 4, 2, PAIRS, {0, 578.1, 54.2, 347.8, 146.6}},
    {"temporal-async", 0, 1, PAIRS, {2594.5, 488, 92.3, 626.6, 103.4}},
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

/* Products through OpenCL. */
static const struct launch_costs of_floats[] = {
    {"naive", 0, 8, DEPTH, {2100, 85.2, 0, 0, 0}},
    {"tiled", 0, 2, DEPTH, {3580.9, 18.6, 0, 29, 1814}},
    {"tiled-unrolled", 0, 3, DEPTH, {3876.7, 20.7, 0, 13.9, 889}},
    {"register-tiles", 64, 4, DEPTH, {2494.4, 101.4, 0, 54.6, 568.4}},
    {"register-tiles", 128, 2, DEPTH, {0, 450, 0, 96.3, 787}},
    {"double-buffered", 0, 2, DEPTH, {4130, 57, 0, 103.2, 1101.6}},
    {"", 0, 0, 0, {0}},
};

static const struct launch_costs of_doubles[] = {
    {"naive", 0, 8, DEPTH, {0, 164.3, 0, 5, 0}},
    {"tiled", 0, 2, DEPTH, {2552.2, 26, 0, 54, 1653.1}},
    {"tiled-unrolled", 0, 2, DEPTH, {2448.3, 27.9, 0, 26, 892.1}},
    {"register-tiles", 64, 4, DEPTH, {0, 129.3, 0, 74.9, 805.3}},
    {"register-tiles", 128, 2, DEPTH, {0, 251.4, 0, 456.9, 0}},
    {"", 0, 0, 0, {0}},
};

/* What waves and products cost on a CPU through OpenCL, where one item is made after another: a launch, an update of a
 * point (half a multiply-add), and a step of an item of whole groups, also beyond the field. Nanoseconds of PoCL on two
 * cores of a Sapphire Rapids. An empty name ends a table. */
struct item_costs {
    char rung[20];
    unsigned char variant, walk;
    float launch, update, item;
};

static const struct item_costs of_wave_by_items[] = {
    {"naive", 0, STEPS, 23030, 7.96F, 0.18F},
    {"tiled", 0, STEPS, 22100, 3.5F, 3.28F},
    {"streaming", 1, WALKS, 57420, 3.29F, 2.98F},
    {"streaming", 2, WALKS, 82530, 3.46F, 3.45F},
    {"streaming", 4, WALKS, 59350, 1.24F, 8.53F},
    {"temporal", 1, PAIRS, 65330, 3.86F, 5.94F},
    {"temporal", 2, PAIRS, 52930, 2.23F, 11.56F},
    {"temporal", 4, PAIRS, 91450, 0.24F, 22.98F},
    {"", 0, 0, 0, 0, 0},
};

static const struct item_costs of_products_by_items[] = {
    {"naive", 0, ONCE, 4074, 0.158F, 0.1F},
    {"tiled", 0, ITEMS, 18720, 0, 0.4F},
    {"tiled-unrolled", 0, ITEMS, 32150, 0, 1.1F},
    {"register-tiles", 0, ITEMS, 43870, 0.029F, 5.45F},
    {"double-buffered", 0, ITEMS, 47990, 0, 7.85F},
    {"row-cache", 0, ROW_PIECES, 12610, 0.237F, 0.0057F},
    {"column-cache", 0, COLUMN_PIECES, 13750, 0.219F, 0.0103F},
    {"global-accumulate", 0, ITEMS, 2919, 0.349F, 0},
    {"", 0, 0, 0, 0, 0},
};

static int variant_of(const struct rung *rung, const struct parameters *parameters)
{
    for (size_t i = 0; i < rung->tunable_count; i++)
        if (strcmp(rung->tunables[i].name, "WIDE") == 0 || strcmp(rung->tunables[i].name, "TILE") == 0)
            return (int)parameters->values[i];
    return 0;
}

/* The kernel's on such a device; NULL where there is none. */
static const struct launch_costs *table_of(const struct problem *problem, const struct device *device)
{
    const char *kernel = problem->kernel->name;
    if (strcmp(kernel, "wave") == 0)
        return of_wave;
    if (strcmp(kernel, "resize") == 0)
        return of_resize;
    if (strcmp(kernel, "matmul") != 0 || device->backend->kind == BACKEND_CUDA)
        return NULL;
    return problem->type == ELEMENT_F32 ? of_floats : problem->type == ELEMENT_F64 ? of_doubles : NULL;
}

/* Of the rung with these parameters; NULL where it is in no table. */
static const struct launch_costs *find(const struct rung *rung, const struct problem *problem,
                                       const struct device *device, const struct parameters *parameters)
{
    const int variant = variant_of(rung, parameters);
    for (const struct launch_costs *one = table_of(problem, device); one && *one->rung; one++)
        if (strcmp(one->rung, rung->name) == 0 && (one->variant == 0 || one->variant == variant))
            return one;
    return NULL;
}

static const struct item_costs *find_by_items(const struct rung *rung, const struct problem *problem,
                                              const struct parameters *parameters)
{
    const int variant = variant_of(rung, parameters);
    const char *kernel = problem->kernel->name;
    const struct item_costs *one = strcmp(kernel, "wave") == 0 ? of_wave_by_items : of_products_by_items;
    if (strcmp(kernel, "wave") != 0 && strcmp(kernel, "matmul") != 0)
        return NULL;
    for (; *one->rung; one++)
        if (strcmp(one->rung, rung->name) == 0 && (one->variant == 0 || one->variant == variant))
            return one;
    return NULL;
}

bool expected_is_time(const struct rung *rung, const struct problem *problem, const struct device *device)
{
    struct parameters parameters;
    if (rung->load || !rung->source || rung_defaults(rung, problem, &parameters, NULL) != STATUS_OK)
        return false;
    return device->properties.is_cpu ? find_by_items(rung, problem, &parameters) != NULL
                                     : find(rung, problem, device, &parameters) != NULL;
}

struct shape {
    double groups, items, walk, launches;
    double last_groups, last_walk; /* of these groups, those with the rest of the depth, and their steps */
};

/* What the header's expressions say of the run's launches. False where they cannot be evaluated. */
static bool shape_of(const struct run *run, enum walk walk, struct shape *shape)
{
    struct launch launch;
    int64_t says[COUNT_OF(walks[0])];
    if (device_rung_shape(run, &launch, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < COUNT_OF(says); i++)
        if (device_rung_integer(run, walks[walk][i], &says[i], NULL) != STATUS_OK)
            return false;
    const double groups = (double)launch.groups[0] * (double)launch.groups[1] * (double)launch.groups[2];
    *shape = (struct shape){.groups = groups,
                            .items = (double)launch.group[0] * (double)launch.group[1] * (double)launch.group[2],
                            .walk = (double)says[0],
                            .launches = (double)says[1],
                            .last_groups = groups / fmax((double)says[2], 1),
                            .last_walk = (double)says[3]};
    return true;
}

/* ---- groups that walk ---------------------------------------------------------------------------------------------
 */

/* Of two times of which the longer one hides most of the other. */
static double root_of_squares(double a, double b)
{
    return sqrt(a * a + b * b);
}

/* Of one step, with so many groups on the busiest multiprocessor: one waits while another computes. */
static double step_time(const struct launch_costs *of, double groups, double far)
{
    return root_of_squares(of->costs[WAIT] + of->costs[WAIT_FAR] * far, of->costs[SHARE] * ceil(groups));
}

/* Groups of the whole depth come first, in rounds; those with the rest of it run beside the last round, and after it.
 */
static double walking_time(const struct launch_costs *of, const struct shape *shape, double units, double far)
{
    const double slots = units * of->resident, whole = shape->groups - shape->last_groups, left = fmod(whole, slots),
                 full_step = step_time(of, of->resident, far);
    double rest = shape->last_groups, time = floor(whole / slots) * shape->walk * full_step;
    if (left > 0) {
        const double vacant = slots - left,
                     beside = fmin(floor(shape->walk / shape->last_walk), ceil(rest / vacant)) * shape->last_walk;
        time += beside * step_time(of, (left + fmin(rest, vacant)) / units, far) +
                (shape->walk - beside) * step_time(of, left / units, far);
        rest = fmax(0, rest - vacant * beside / shape->last_walk);
    }
    time += floor(rest / slots) * shape->last_walk * full_step;
    return time + (fmod(rest, slots) > 0 ? shape->last_walk * step_time(of, fmod(rest, slots) / units, far) : 0);
}

static double walking_launch(const struct launch_costs *of, const struct shape *shape, double bytes,
                             const struct device *device)
{
    const double far = of->walk >= DEPTH ? 1 : fmin(1, fmax(0, (bytes - NEAR_BYTES) / (FAR_BYTES - NEAR_BYTES)));
    return of->costs[LAUNCH] + (device->backend->kind == BACKEND_CUDA ? 0 : OPENCL_LAUNCH) +
           root_of_squares(walking_time(of, shape, (double)device->properties.units, far),
                           of->costs[FAR_MEGABYTE] * far * bytes / 1e6);
}

/* ---- all others ---------------------------------------------------------------------------------------------------
 */

static double launch_time(const struct launch_costs *of, const struct shape *shape, double bytes,
                          const struct device *device)
{
    const double rounds = shape->groups / ((double)device->properties.units * of->resident);
    const double steps =
        of->costs[STEP] + of->costs[ROUND] * (ceil(rounds) - 1) + of->costs[BEYOND] * fmax(0, rounds - 1);
    return of->costs[LAUNCH] + shape->walk * steps + of->costs[MEGABYTE] * bytes / 1e6 +
           of->costs[FAR] * fmax(0, bytes - CACHE_BYTES) / 1e6;
}

static double items_time(const struct run *run)
{
    const struct item_costs *of = find_by_items(run->rung, run->problem, &run->parameters);
    struct shape shape;
    if (!of || !shape_of(run, of->walk, &shape))
        return 0;
    const double steps = (shape.groups - shape.last_groups) * shape.walk + shape.last_groups * shape.last_walk;
    return shape.launches * (of->launch + of->item * steps * shape.items) +
           of->update * run->problem->kernel->work(run->problem);
}

double expected_time(const struct rung *rung, const struct problem *problem, const struct device *device, int threads)
{
    struct run run = {.rung = rung, .problem = problem, .device = (struct device *)device};
    struct shape shape;
    if (!rung->load && (!rung->source || device->properties.units == 0))
        return 0;
    if (rung_defaults(rung, problem, &run.parameters, NULL) != STATUS_OK)
        return 0;
    if (rung->load)
        return rung->load(problem, &run.parameters, threads > 0 ? threads : 1);
    if (device->properties.is_cpu)
        return items_time(&run);
    const struct launch_costs *of = find(rung, problem, device, &run.parameters);
    if (!of || !shape_of(&run, of->walk, &shape))
        return 0;
    const struct cost cost = problem->kernel->cost(problem);
    const double bytes = (cost.bytes_read + cost.bytes_written) / fmax(shape.launches, 1);
    const bool does_walk = of->walk == WALKS || of->walk == PAIRS || of->walk >= DEPTH;
    return shape.launches *
           (does_walk ? walking_launch(of, &shape, bytes, device) : launch_time(of, &shape, bytes, device));
}

#include "cli/options/time_needed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/translation.h"
#include "cli/options/selection.h"
#include "lab/ceilings/probes.h"

#define CHECKED_RUNS 5        /* of one rung, besides those that are timed */
#define LEAST_RUNS 5          /* lab_bench takes no fewer unless they take four times its time */
#define END_TO_END 0.25       /* of a rung's time on the clock, where its arrays are moved */
#define TOLD_FROM 120.0       /* seconds; less needs no word */
#define CHECK 0.002           /* seconds of a checked run besides its work */
#define COMPILED_CHECK 0.05   /* … where some of them compile */
#define CHECKED_BYTE 1e-8     /* seconds: of a rung's arrays, made and looked at in all its checked runs */
#define COMPARISON 40         /* bytes or operations that take as long */
#define WORTH_LEAVING_OUT 0.3 /* part of the whole */

/* Of an operation or a byte, and to prepare a rung: of a GPU, of a CPU's first and other rungs, of a CPU that plays a
 * GPU. */
static const struct {
    double nanoseconds, build;
} GPU = {0.002, 0.2}, FIRST = {0.5, 0.1}, OTHER = {0.1, 0.1}, PLAYED = {0.1, 0.8};

static double nanoseconds_of_work(const struct device *device, bool is_first)
{
    return device_rehearses(device)     ? PLAYED.nanoseconds
           : !device->properties.is_cpu ? GPU.nanoseconds
           : is_first                   ? FIRST.nanoseconds
                                        : OTHER.nanoseconds;
}

static double bytes_of(const struct problem *problem)
{
    const struct cost cost = problem->kernel->cost(problem);
    return cost.bytes_read + cost.bytes_written;
}

static double bytes_of_arrays(const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count = 0;
    double bytes = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return 0;
    for (int i = 0; i < count; i++)
        bytes += (double)arrays[i].bytes;
    return bytes;
}

/* A sort's cost has its least bytes only: most rungs compare. */
static double work_of(const struct problem *problem)
{
    const double work = problem->kernel->cost(problem).operations + bytes_of(problem);
    const double keys = bytes_of(problem) / 2 / element_info(problem->type)->bytes;
    const bool sorts = strcmp(problem->kernel->name, "sort") == 0 || strcmp(problem->kernel->name, "pipeline") == 0;
    return sorts && keys > 1 ? work + COMPARISON * keys * log2(keys) : work;
}

double time_needed_to_check(const struct problem *problem, const struct device *device, size_t rungs, double runs)
{
    const double run = CHECK + nanoseconds_of_work(device, false) * 1e-9 * work_of(problem);
    return (double)rungs * runs * (device->properties.is_cpu && !device_rehearses(device) ? run : COMPILED_CHECK + run);
}

static double seconds_of(const struct problem *problem, const struct candidate *candidate,
                         const struct bench_options *options)
{
    char reason[256];
    if (rung_refuses(candidate->rung, problem, candidate->device, &candidate->parameters, reason, sizeof reason))
        return 0;
    const bool plays = device_rehearses(candidate->device), computes = candidate->device->properties.is_cpu;
    const bool is_first = candidate->rung == problem->kernel->ladder[0].rung;
    const double work_ns = nanoseconds_of_work(candidate->device, is_first);
    const double build = plays ? PLAYED.build : computes ? OTHER.build : GPU.build;
    const double run = work_ns * 1e-9 * work_of(problem);
    const double whole = options->end_to_end && (plays || !computes) ? END_TO_END * options->seconds : 0;
    return whole + build + CHECKED_RUNS * run + CHECKED_BYTE * bytes_of_arrays(problem) +
           fmax(options->seconds, fmin(LEAST_RUNS * run, 4 * options->seconds + run));
}

/* The ceilings of a device, where the candidate is its first: probes are timed for as long as a rung. */
static double seconds_of_probes(const struct problem *problem, const struct candidate *candidates, size_t count,
                                size_t index, const struct bench_options *options)
{
    const struct rung *probes[PROBES_MAX];
    const struct device *device = candidates[index].device;
    bool is_first = options->probe_ceilings && !options->repeat;
    for (size_t i = 0; i < index; i++)
        is_first = is_first && candidates[i].device != device;
    const double build = device_rehearses(device) ? PLAYED.build : OTHER.build;
    return is_first ? (double)ceiling_probes(problem, device, candidates, count, probes) * (build + options->seconds)
                    : 0;
}

double time_needed(const struct problem *problem, const struct candidate *candidates, size_t count,
                   const struct bench_options *options)
{
    double seconds = 0;
    for (size_t i = 0; i < count; i++)
        seconds +=
            seconds_of(problem, &candidates[i], options) + seconds_of_probes(problem, candidates, count, i, options);
    return seconds;
}

void time_needed_tell(double seconds, double rehearsed, const char *what_takes_less)
{
    if (seconds < TOLD_FROM)
        return;
    if (rehearsed > WORTH_LEAVING_OUT * seconds && rehearsed < seconds)
        fprintf(stderr, tr("uskor: about %.0f min, %.0f of them OpenCL on a CPU; --device cpu leaves that out\n"),
                seconds / 60, rehearsed / 60);
    else
        fprintf(stderr, tr("uskor: about %.0f min; %s\n"), seconds / 60, tr(what_takes_less));
}

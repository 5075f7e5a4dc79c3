#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "store/ceiling.h"
#include "store/cores.h"
#include "store/noise.h"

static const struct ceiling_info infos[] = {
    [CEILING_CLOCK] = {"clock", "GHz", N_("dependent integer additions, one per cycle")},
    [CEILING_ISSUE] = {"issue", "GIPS", N_("simple instructions of each thread that wait for nothing")},
    [CEILING_FMA_F32] = {"fma-f32", "GFLOP/s", N_("multiply-adds of floats from registers, two operations each")},
    [CEILING_FMA_F64] = {"fma-f64", "GFLOP/s", N_("multiply-adds of doubles from registers, two operations each")},
    [CEILING_TENSOR_BF16] = {"tensor-bf16", "GFLOP/s",
                             N_("multiply-adds of bfloat16 on tensor cores, summed in float, two operations each")},
    [CEILING_LOCAL_READ] = {"local-read", "GB/s", N_("bytes read from every group's local memory, without conflicts")},
    [CEILING_L1_READ] = {"l1-read", "GB/s", N_("bytes read over and over from half of each core's first cache")},
    [CEILING_L2_READ] = {"l2-read", "GB/s", N_("bytes read over and over from a part of the second cache")},
    [CEILING_L3_READ] = {"l3-read", "GB/s", N_("bytes read over and over from a part of the third cache")},
    [CEILING_DRAM_READ] = {"dram-read", "GB/s", N_("bytes read once, from an array that no cache holds")},
    [CEILING_DRAM_COPY] = {"dram-copy", "GB/s", N_("bytes read and bytes written by the device's own copy")},
    [CEILING_DRAM_TRIAD] = {"dram-triad", "GB/s", N_("bytes of two arrays read and of a third written, side by side")},
};

const char *const ceiling_names[] = {
    [CEILING_CLOCK] = "clock",
    [CEILING_ISSUE] = "issue",
    [CEILING_FMA_F32] = "fma-f32",
    [CEILING_FMA_F64] = "fma-f64",
    [CEILING_TENSOR_BF16] = "tensor-bf16",
    [CEILING_LOCAL_READ] = "local-read",
    [CEILING_L1_READ] = "l1-read",
    [CEILING_L2_READ] = "l2-read",
    [CEILING_L3_READ] = "l3-read",
    [CEILING_DRAM_READ] = "dram-read",
    [CEILING_DRAM_COPY] = "dram-copy",
    [CEILING_DRAM_TRIAD] = "dram-triad",
    [CEILING_KINDS] = NULL,
};

const struct ceiling_info *ceiling_info(enum ceiling_kind kind)
{
    return &infos[kind];
}

enum ceiling_kind ceiling_by_name(const char *name)
{
    for (int kind = 0; kind < CEILING_KINDS; kind++)
        if (strcmp(infos[kind].name, name) == 0)
            return (enum ceiling_kind)kind;
    return CEILING_KINDS;
}

bool ceiling_is_of_memory(enum ceiling_kind kind)
{
    return kind >= CEILING_LOCAL_READ && kind < CEILING_KINDS;
}

bool ceiling_is_of_arithmetic(enum ceiling_kind kind)
{
    return kind >= CEILING_FMA_F32 && kind <= CEILING_TENSOR_BF16;
}

unsigned tensor_products_of(const char *ceiling)
{
    static const char name[] = "tensor-";
    const char *digit = ceiling + sizeof name - 1;
    bool is_one = strncmp(ceiling, name, sizeof name - 1) == 0 && *digit >= '1' && *digit <= '9' && !digit[1];
    return is_one ? (unsigned)(*digit - '0') : 0;
}

bool ceiling_serves(const struct measurement *measurement)
{
    return measurement->verdict == VERDICT_PASS && measurement->phases[PHASE_COMPUTE].count > 0 &&
           strcmp(measurement->kernel, CEILING_KERNEL) == 0 && !measurement_is_void(measurement);
}

bool ceiling_lasts(const struct measurement *measurement)
{
    return ceiling_serves(measurement) &&
           (!measurement_is_disturbed(measurement) || ceiling_is_steady(measurement, NULL));
}

bool ceiling_of(const struct measurement *measurement, struct ceiling *ceiling)
{
    double median = measurement_summary(measurement, PHASE_COMPUTE).median;
    if (!ceiling_serves(measurement) || !(median > 0))
        return false;
    *ceiling = (struct ceiling){.threads = measurement->threads,
                                .rate = measurement->work / median,
                                .measurement = measurement->id,
                                .made_at = measurement->made_at};
    snprintf(ceiling->device, sizeof ceiling->device, "%s", measurement->device);
    snprintf(ceiling->device_name, sizeof ceiling->device_name, "%s", measurement->device_name);
    snprintf(ceiling->driver, sizeof ceiling->driver, "%s", measurement->driver);
    snprintf(ceiling->what, sizeof ceiling->what, "%s", measurement->rung);
    snprintf(ceiling->unit, sizeof ceiling->unit, "%s", measurement->rate_unit);
    return true;
}

static int by_time(const void *a, const void *b)
{
    double left = ((const struct sample *)a)->nanoseconds, right = ((const struct sample *)b)->nanoseconds;
    return (left > right) - (left < right);
}

bool ceiling_is_steady(const struct measurement *measurement, double *spread)
{
    const struct samples *samples = &measurement->phases[PHASE_COMPUTE];
    double found = 1;
    struct sample *sorted = samples->count ? malloc(samples->count * sizeof *sorted) : NULL;
    if (sorted) {
        memcpy(sorted, samples->items, samples->count * sizeof *sorted);
        qsort(sorted, samples->count, sizeof *sorted, by_time);
        size_t low = samples->count / 20, high = samples->count - 1 - low;
        found = (sorted[high].nanoseconds - sorted[low].nanoseconds) / sorted[samples->count / 2].nanoseconds;
    }
    free(sorted);
    if (spread)
        *spread = found;
    return found <= CEILING_STEADY;
}

/* Which ceiling is sought. */
struct sought {
    const char *device, *device_name, *driver;
    unsigned threads;
    enum ceiling_kind kind;
    bool with_cores; /* as far apart as: */
    double core_latency;
};

static bool is_sought(const struct measurement *candidate, const struct sought *sought)
{
    bool matches =
        strcmp(candidate->rung, infos[sought->kind].name) == 0 && strcmp(candidate->device, sought->device) == 0 &&
        strcmp(candidate->device_name, sought->device_name) == 0 && strcmp(candidate->driver, sought->driver) == 0 &&
        (!sought->threads || candidate->threads == sought->threads) &&
        (candidate->id ? ceiling_lasts(candidate) : ceiling_serves(candidate));
    if (!matches || !sought->with_cores)
        return matches;
    return sought->core_latency > 0 && candidate->core_latency > 0 && !cores_moved(candidate) &&
           !cores_elsewhere(candidate->core_latency, sought->core_latency);
}

static const struct measurement *newest_of(const struct measurement_list *list, const struct sought *sought)
{
    const struct measurement *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *candidate = &list->items[i];
        if (!is_sought(candidate, sought))
            continue;
        bool more = found && candidate->threads != found->threads;
        if (!found || (more ? candidate->threads > found->threads : candidate->made_at >= found->made_at))
            found = candidate;
    }
    return found;
}

const struct measurement *ceiling_find(const struct measurement_list *list, const char *device, const char *device_name,
                                       const char *driver, unsigned threads, enum ceiling_kind kind)
{
    const struct sought sought = {device, device_name, driver, threads, kind, false, 0};
    return newest_of(list, &sought);
}

const struct measurement *ceiling_find_with_cores(const struct measurement_list *list, const char *device,
                                                  const char *device_name, const char *driver, unsigned threads,
                                                  enum ceiling_kind kind, double core_latency)
{
    const struct sought sought = {device, device_name, driver, threads, kind, true, core_latency};
    return newest_of(list, &sought);
}

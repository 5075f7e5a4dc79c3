#include "store/cores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"

/* The last round that the measurement took part in. */
static uint32_t last_round(const struct measurement *measurement)
{
    uint32_t last = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct samples *samples = &measurement->phases[phase];
        if (samples->count && samples->items[samples->count - 1].round > last)
            last = samples->items[samples->count - 1].round;
    }
    return last;
}

void cores_note(const struct samples *looks, struct measurement *measurement)
{
    double *seen = calloc(looks->count + 1, sizeof *seen);
    uint32_t last = last_round(measurement);
    size_t count = 0;
    for (size_t i = 0; seen && i < looks->count; i++)
        if (looks->items[i].round <= last)
            seen[count++] = looks->items[i].nanoseconds;
    measurement->core_latency = measurement->core_latency_low = measurement->core_latency_high =
        statistics_median(seen, count);
    size_t out = count / 10 > 1 ? count / 10 : 1;
    if (count > 2 * out) {
        qsort(seen, count, sizeof *seen, statistics_compare);
        measurement->core_latency_low = seen[out];
        measurement->core_latency_high = seen[count - 1 - out];
    }
    free(seen);
}

bool cores_elsewhere(double a, double b)
{
    return a > 0 && b > 0 && fmax(a, b) > CORES_ELSEWHERE * fmin(a, b);
}

bool cores_moved(const struct measurement *measurement)
{
    return measurement->threads == CORES_THREADS &&
           cores_elsewhere(measurement->core_latency_low, measurement->core_latency_high);
}

/* A round of the same problem and run in which both were timed. */
static bool share_a_round(const struct measurement *a, const struct measurement *b)
{
    const struct samples *left = &a->phases[PHASE_COMPUTE], *right = &b->phases[PHASE_COMPUTE];
    size_t i = 0, j = 0;
    if ((a->run && b->run && a->run != b->run) || strcmp(a->problem, b->problem) != 0)
        return false;
    while (i < left->count && j < right->count && left->items[i].round != right->items[j].round)
        if (left->items[i].round < right->items[j].round)
            i++;
        else
            j++;
    return i < left->count && j < right->count;
}

bool cores_alike(const struct measurement *a, const struct measurement *b)
{
    if (a->threads != CORES_THREADS || b->threads != CORES_THREADS || !(a->core_latency > 0) ||
        !(b->core_latency > 0) || share_a_round(a, b))
        return true;
    return !cores_elsewhere(a->core_latency, b->core_latency) && !cores_moved(a) && !cores_moved(b);
}

#include "store/observations.h"

#include <math.h>
#include <stdlib.h>

bool side_has_runs(const struct side *side, enum phase phase)
{
    size_t with_samples = 0;
    for (size_t i = 0; i < side->count; i++)
        with_samples += side->items[i]->phases[phase].count > 0;
    return with_samples >= RUNS_LEAST;
}

double side_core_latency(const struct side *side)
{
    double *known = calloc(side->count + 1, sizeof *known);
    size_t count = 0;
    for (size_t i = 0; known && i < side->count; i++)
        if (side->items[i]->core_latency > 0)
            known[count++] = side->items[i]->core_latency;
    double median = statistics_median(known, count);
    free(known);
    return median;
}

/* Appends the median of each round; the samples of a round are adjacent. */
static size_t add_rounds(const struct samples *samples, double *scratch, double *values, size_t count)
{
    for (size_t i = 0; i < samples->count;) {
        uint32_t round = samples->items[i].round;
        size_t taken = 0;
        for (; i < samples->count && samples->items[i].round == round; i++)
            scratch[taken++] = samples->items[i].nanoseconds;
        values[count++] = statistics_median(scratch, taken);
    }
    return count;
}

/* Joins neighbours until at most UNITS_MOST are left, and takes the logarithms. */
static void join(const double *values, size_t count, struct observations *units)
{
    size_t groups = count < UNITS_MOST ? count : UNITS_MOST;
    for (size_t g = 0; g < groups; g++) {
        size_t first = g * count / groups, end = (g + 1) * count / groups;
        double median = statistics_median(values + first, end - first);
        if (median > 0)
            units->logs[units->count++] = log(median);
    }
    units->median = statistics_median(values, count);
}

void observations_of(const struct side *side, enum phase phase, bool runs, struct observations *units)
{
    size_t total = 0, count = 0;
    *units = (struct observations){0};
    for (size_t i = 0; i < side->count; i++)
        total += side->items[i]->phases[phase].count;
    double *values = calloc(total + 1, sizeof *values), *scratch = calloc(total + 1, sizeof *scratch);
    for (size_t i = 0; values && scratch && i < side->count; i++) {
        const struct samples *samples = &side->items[i]->phases[phase];
        size_t rounds = add_rounds(samples, scratch, values + count, 0);
        if (runs && rounds) {
            values[count] = statistics_median(values + count, rounds);
            rounds = 1;
        }
        count += rounds;
    }
    if (values && scratch)
        join(values, count, units);
    free(values);
    free(scratch);
}

#include "lab/ceilings/too_fast.h"

#include <math.h>
#include <stdlib.h>

static double least_of(const struct samples *samples)
{
    double least = INFINITY;
    for (size_t i = 0; i < samples->count; i++)
        least = fmin(least, samples->items[i].nanoseconds);
    return least;
}

static double median_of(const struct samples *samples)
{
    double *values = calloc(samples->count + 1, sizeof *values);
    for (size_t i = 0; values && i < samples->count; i++)
        values[i] = samples->items[i].nanoseconds;
    double median = values ? statistics_median(values, samples->count) : 0;
    free(values);
    return median;
}

/* The median and the minimum of one round's samples, which are adjacent. Moves *at past them. */
static void round_of(const struct samples *samples, size_t *at, double *median, double *least)
{
    const uint32_t round = samples->items[*at].round;
    struct samples part = {.items = samples->items + *at};
    for (; *at < samples->count && samples->items[*at].round == round; ++*at)
        part.count++;
    *median = median_of(&part);
    *least = least_of(&part);
}

/* The probability of `heads` or more among `tosses` of a fair coin. */
static double odds_of(size_t heads, size_t tosses)
{
    double odds = 0;
    for (size_t k = heads; k <= tosses; k++)
        odds += exp(lgamma((double)tosses + 1) - lgamma((double)k + 1) - lgamma((double)(tosses - k) + 1) -
                    (double)tosses * log(2));
    return odds;
}

bool maybe_too_fast(const struct samples *rung, const struct samples *ceiling, double passes)
{
    return rung->count > 0 && ceiling->count > 0 && median_of(rung) + TOO_FAST_CALL_NS < least_of(ceiling) / passes;
}

bool too_fast(const struct samples *rung, const struct samples *ceiling, double passes)
{
    size_t rounds = 0, faster = 0, i = 0, j = 0;
    while (i < rung->count && j < ceiling->count) {
        const uint32_t left = rung->items[i].round, right = ceiling->items[j].round;
        if (left < right) {
            i++;
        } else if (right < left) {
            j++;
        } else {
            double time, least, unused;
            round_of(rung, &i, &time, &unused);
            round_of(ceiling, &j, &unused, &least);
            rounds++;
            faster += time * TOO_FAST_MARGIN + TOO_FAST_CALL_NS < least / passes;
        }
    }
    return rounds >= TOO_FAST_ROUNDS && odds_of(faster, rounds) < TOO_FAST_ODDS &&
           median_of(rung) * TOO_FAST_BEST + TOO_FAST_CALL_NS < least_of(ceiling) / passes;
}

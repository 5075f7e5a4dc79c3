#include "report/html/axis_scale.h"

#include <math.h>

double scale_at(const struct scale *scale, double value)
{
    double low = scale->low, high = scale->high;
    if (scale->kind != SCALE_LINEAR) {
        low = log2(low);
        high = log2(high);
        value = value > 0 ? log2(value) : low;
    }
    double place = high > low ? (value - low) / (high - low) : 0.5;
    place = place < 0 ? 0 : place > 1 ? 1 : place;
    return scale->from + place * (scale->to - scale->from);
}

static size_t linear_ticks(const struct scale *scale, size_t most, double *ticks)
{
    double range = scale->high - scale->low;
    if (!(range > 0))
        return 0;
    double least = range / (double)most, decade = pow(10, floor(log10(least)));
    double step = least <= decade       ? decade
                  : least <= 2 * decade ? 2 * decade
                  : least <= 5 * decade ? 5 * decade
                                        : 10 * decade;
    /* The last tick may miss the end by rounding. */
    double first = ceil(scale->low / step), end = scale->high + range * 1e-9;
    size_t count = 0;
    for (; count < most && (first + (double)count) * step <= end; count++)
        ticks[count] = (first + (double)count) * step;
    return count;
}

/* first · factorⁿ inside the scale, every `stride`-th of them, each times every one of `parts`. */
static size_t power_ticks(const struct scale *scale, double factor, double stride, const double *parts,
                          size_t part_count, double *ticks)
{
    size_t count = 0;
    double power = floor(log(scale->low * (1 + 1e-9)) / log(factor) / stride) * stride;
    while (pow(factor, power) <= scale->high * (1 + 1e-9)) {
        for (size_t p = 0; p < part_count; p++) {
            double tick = parts[p] * pow(factor, power);
            if (tick >= scale->low * (1 - 1e-9) && tick <= scale->high * (1 + 1e-9) && count < SCALE_TICKS_MAX)
                ticks[count++] = tick;
        }
        power += stride;
    }
    return count;
}

size_t scale_ticks(const struct scale *scale, size_t most, double ticks[SCALE_TICKS_MAX])
{
    static const double parts[] = {1, 2, 5};
    if (most > SCALE_TICKS_MAX)
        most = SCALE_TICKS_MAX;
    if (most < 2)
        return 0;
    if (scale->kind == SCALE_LINEAR)
        return linear_ticks(scale, most, ticks);
    double factor = scale->kind == SCALE_BINARY ? 2 : 10;
    double powers = log(scale->high / scale->low) / log(factor);
    if (scale->kind == SCALE_DECADES && 3 * powers + 1 <= (double)most)
        return power_ticks(scale, factor, 1, parts, 3, ticks);
    double stride = ceil((powers + 1) / (double)most);
    return power_ticks(scale, factor, stride < 1 ? 1 : stride, parts, 1, ticks);
}

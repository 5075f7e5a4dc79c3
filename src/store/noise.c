#include "store/noise.h"

#include <string.h>

/* With fewer samples the 95 % interval of the median is at best from the least to the greatest. */
#define INTERVAL_SAMPLES 6

struct interval {
    double low, high;
};

static struct interval interval_of(const struct summary *summary)
{
    if (summary->count < INTERVAL_SAMPLES)
        return (struct interval){summary->quartile1, summary->quartile3};
    return (struct interval){summary->low, summary->high};
}

bool summary_is_void(const struct summary *summary)
{
    const struct interval interval = interval_of(summary);
    return summary->median > 0 &&
           (interval.high > NOISE_INTERVAL * interval.low || summary->quartile3 > NOISE_SPREAD * summary->quartile1);
}

double summary_figure(const struct summary *summary)
{
    return summary_is_void(summary) ? 0 : summary->median;
}

bool measurement_is_void(const struct measurement *measurement)
{
    const struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    return summary_is_void(&summary);
}

bool measurement_is_disturbed(const struct measurement *measurement)
{
    static const char disturbed[] = "noisy: ";
    return strncmp(measurement->warnings, disturbed, sizeof disturbed - 1) == 0;
}

struct measured_ratio measurement_compare(const struct measurement *a, const struct measurement *b)
{
    const struct summary left = measurement_summary(a, PHASE_COMPUTE), right = measurement_summary(b, PHASE_COMPUTE);
    if (!(left.median > 0) || !(right.median > 0))
        return (struct measured_ratio){0};
    const struct interval time_a = interval_of(&left), time_b = interval_of(&right);
    const double low = time_b.low / time_a.high, high = time_b.high / time_a.low;
    if (a != b && (summary_is_void(&left) || summary_is_void(&right) || high > NOISE_RATIO * low))
        return (struct measured_ratio){.is_void = true};
    return (struct measured_ratio){.value = right.median / left.median};
}

double measurement_ratio(const struct measurement *a, const struct measurement *b)
{
    return measurement_compare(a, b).value;
}

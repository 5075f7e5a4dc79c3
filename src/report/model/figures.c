#include "report/model/figures.h"

struct figures figures_of(const struct measurement *measurement)
{
    struct figures figures = {
        .time = measurement_summary(measurement, PHASE_COMPUTE),
        .end_to_end = measurement_summary(measurement, PHASE_END_TO_END),
    };
    if (!figures.time.count) /* a publication's protocol times nothing but the whole */
        figures.time = figures.end_to_end;
    const struct summary *time = &figures.time;
    if (!(time->median > 0))
        return figures;
    figures.spread = (time->quartile3 - time->quartile1) / 2 / time->median;
    figures.is_void = summary_is_void(time);
    if (figures.is_void)
        return figures;
    figures.rate = measurement->work / time->median;
    figures.rate_low = measurement->work / time->quartile3;
    figures.rate_high = measurement->work / time->quartile1;
    return figures;
}

double figures_rate(const struct measurement *measurement)
{
    return measurement && measurement->verdict == VERDICT_PASS ? figures_of(measurement).rate : 0;
}

struct measured_ratio figures_ratio(const struct measurement *a, const struct measurement *b)
{
    const struct measured_ratio none = {0};
    if (!b)
        return none;
    if (a->phases[PHASE_COMPUTE].count && b->phases[PHASE_COMPUTE].count)
        return measurement_compare(a, b);
    const struct summary of_a = measurement_summary(a, PHASE_END_TO_END),
                         of_b = measurement_summary(b, PHASE_END_TO_END);
    if (!(of_a.median > 0) || !(of_b.median > 0))
        return none;
    if (summary_is_void(&of_a) || summary_is_void(&of_b))
        return (struct measured_ratio){.is_void = true};
    return (struct measured_ratio){.value = of_b.median / of_a.median};
}

struct measured_ratio figures_share(const struct measurement_list *list, const struct measurement *of,
                                    const struct measurement **ceiling)
{
    *ceiling = measurement_ceiling(list, of);
    return figures_ratio(of, *ceiling);
}

#include "report/rows.h"

#include <string.h>

struct row row_make(const struct measurement_list *list, const struct measurement *measurement,
                    const struct measurement *base)
{
    struct row row = {.measurement = measurement, .time = measurement_summary(measurement, PHASE_COMPUTE)};
    if (row.time.median <= 0)
        return row;
    row.whole = measurement_summary(measurement, PHASE_WHOLE).median;
    row.rate = measurement->work / row.time.median;
    row.spread = (row.time.quartile3 - row.time.quartile1) / 2 / row.time.median;
    const struct measurement *limit = measurement_limit(list, measurement);
    if (limit)
        row.of_limit = measurement_ratio(measurement, limit);
    if (base)
        row.speed_up = measurement_ratio(measurement, base);
    return row;
}

const struct measurement *row_base(const struct measurement_list *list, const char *problem)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->kind != MEASURED_LIMIT && measurement->verdict == VERDICT_PASS &&
            measurement->phases[PHASE_COMPUTE].count && strcmp(measurement->problem, problem) == 0)
            return measurement;
    }
    return NULL;
}

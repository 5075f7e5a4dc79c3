#include "report/model/rows.h"

#include <string.h>

#include "store/noise.h"

struct row row_make(const struct measurement_list *list, const struct measurement *measurement,
                    const struct measurement *base)
{
    struct row row = {.measurement = measurement, .time = measurement_summary(measurement, PHASE_COMPUTE)};
    if (row.time.median <= 0)
        return row;
    row.end_to_end = measurement_summary(measurement, PHASE_END_TO_END).median;
    row.is_void = summary_is_void(&row.time);
    row.rate = row.is_void ? 0 : measurement->work / row.time.median;
    row.spread = (row.time.quartile3 - row.time.quartile1) / 2 / row.time.median;
    const struct measurement *ceiling = measurement_ceiling(list, measurement);
    const struct measured_ratio share =
        ceiling ? measurement_compare(measurement, ceiling) : (struct measured_ratio){0};
    const struct measured_ratio speed_up = base ? measurement_compare(measurement, base) : (struct measured_ratio){0};
    row.of_ceiling = share.value;
    row.share_is_void = share.is_void;
    row.speed_up = speed_up.value;
    row.speed_up_is_void = speed_up.is_void;
    return row;
}

const struct measurement *row_base(const struct measurement_list *list, const char *problem)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->kind != MEASURED_PROBE && measurement->verdict == VERDICT_PASS &&
            measurement->phases[PHASE_COMPUTE].count && strcmp(measurement->problem, problem) == 0)
            return measurement;
    }
    return NULL;
}

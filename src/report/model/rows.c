#include "report/model/rows.h"

#include <stdio.h>
#include <string.h>

#include "report/model/figures.h"

struct row row_make(const struct measurement_list *list, const struct measurement *measurement,
                    const struct measurement *base)
{
    struct row row = {.measurement = measurement, .time = measurement_summary(measurement, PHASE_COMPUTE)};
    if (row.time.median <= 0)
        return row;
    const struct figures figures = figures_of(measurement);
    const struct measurement *ceiling;
    const struct measured_ratio share = figures_share(list, measurement, &ceiling),
                                speed_up = figures_ratio(measurement, base);
    row.end_to_end = figures.end_to_end.median;
    row.is_void = figures.is_void;
    row.rate = figures.rate;
    row.spread = figures.spread;
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

bool measured_together(const struct measurement *a, const struct measurement *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->problem, b->problem) == 0 &&
           strcmp(a->device, b->device) == 0 && a->run == b->run;
}

bool is_first_alike(const struct measurement_list *list, size_t index,
                    bool (*alike)(const struct measurement *, const struct measurement *))
{
    for (size_t i = 0; i < index; i++)
        if (alike(&list->items[i], &list->items[index]))
            return false;
    return true;
}

unsigned parameter_of(const struct measurement *measurement, const char *name)
{
    unsigned number = 0;
    const char *at = strstr(measurement->parameters, name);
    return at && sscanf(at + strlen(name), "%u", &number) == 1 ? number : 0;
}

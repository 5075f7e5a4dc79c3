#include "report/model/place.h"

#include <string.h>

bool surely_faster(const struct measurement *a, const struct measurement *b)
{
    return measurement_summary(a, PHASE_COMPUTE).high < measurement_summary(b, PHASE_COMPUTE).low;
}

static bool is_beside(const struct measurement *other, const struct measurement *mine)
{
    return other != mine && other->kind != MEASURED_PROBE && other->verdict == VERDICT_PASS &&
           other->phases[PHASE_COMPUTE].count > 0 && strcmp(other->problem, mine->problem) == 0 &&
           strcmp(other->device, mine->device) == 0;
}

struct place place_of(const struct measurement_list *list, const struct measurement *mine)
{
    struct place place = {.place = 1, .of = 1, .times = 1};
    double best = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *other = &list->items[i];
        const double time = measurement_summary(other, PHASE_COMPUTE).median;
        if (!is_beside(other, mine))
            continue;
        place.of++;
        place.place += surely_faster(other, mine);
        if (!place.best || time < best) {
            place.best = other;
            best = time;
        }
    }
    if (place.best && (surely_faster(place.best, mine) || surely_faster(mine, place.best)))
        place.times = measurement_summary(mine, PHASE_COMPUTE).median / best;
    return place;
}

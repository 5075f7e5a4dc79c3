#include "lab/bench/neighbours.h"

#include <string.h>

static double median_of(const struct measurement_list *list, const struct rung *rung)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].verdict == VERDICT_PASS && strcmp(list->items[i].rung, rung->name) == 0)
            return measurement_summary(&list->items[i], PHASE_COMPUTE).median;
    return 0;
}

size_t neighbours_choose(const struct rung *mine, const struct measurement_list *look, const struct candidate *all,
                         size_t count, struct candidate *chosen)
{
    const struct rung *slower = NULL, *faster = NULL, *best = NULL;
    double time_of_mine = median_of(look, mine), slower_time = 0, faster_time = 0, best_time = 0;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        double time = median_of(look, all[i].rung);
        if (all[i].rung == mine || time <= 0)
            continue;
        if (time >= time_of_mine && (!slower || time < slower_time))
            slower = all[i].rung, slower_time = time;
        if (time < time_of_mine && (!faster || time > faster_time))
            faster = all[i].rung, faster_time = time;
        if (!best || time < best_time)
            best = all[i].rung, best_time = time;
    }
    bool is_first = true;
    for (size_t i = 0; i < count && made < NEIGHBOURS_MOST; i++) {
        const struct rung *rung = all[i].rung;
        bool runs = median_of(look, rung) > 0;
        if (rung == mine || rung == slower || rung == faster || rung == best ||
            (runs && (is_first || rung->kind == RUNG_VENDOR)))
            chosen[made++] = all[i];
        is_first = is_first && !runs;
    }
    return made;
}

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

#define LOOK_SECONDS 0.01 /* for each rung */

enum status neighbours_bench(const struct problem *problem, const struct candidate *candidates, size_t count,
                             const struct bench_options *options, struct measurement_list *list, struct error *error)
{
    struct candidate chosen[NEIGHBOURS_MOST];
    struct measurement_list look = {0};
    struct bench_options quick = *options, thorough = *options;
    quick.seconds = LOOK_SECONDS;
    quick.end_to_end = quick.probe_ceilings = false;
    quick.is_rough = true;
    quick.finished = NULL;
    quick.neighbours_of = thorough.neighbours_of = NULL;
    enum status status = lab_bench(problem, candidates, count, &quick, &look, error);
    if (status == STATUS_OK) {
        count = neighbours_choose(options->neighbours_of, &look, candidates, count, chosen);
        status = lab_bench(problem, chosen, count, &thorough, list, error);
    }
    measurement_list_free(&look);
    return status;
}

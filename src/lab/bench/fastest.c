#include "lab/bench/fastest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choice/choose_rung.h"

#define LOOK_SECONDS 0.01   /* for each rung */
#define LIBRARY_SLOWEST 4.0 /* a library's rung that takes longer than so many times the fastest is no rival */

struct bench_options fastest_look(const struct bench_options *options)
{
    struct bench_options look = *options;
    look.seconds = LOOK_SECONDS;
    look.samples_least = 0;
    look.end_to_end = look.probe_ceilings = false;
    look.is_rough = true; /* and so is not verified */
    look.finished = NULL;
    return look;
}

void fastest_take_choice(const struct problem *problem, struct candidate *candidates, size_t count)
{
    const struct device *device = NULL;
    struct rung_choice choice = {.rung = NULL};
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].device != device &&
            choose_rung(problem, candidates[i].device, NULL, &choice, NULL) != STATUS_OK)
            choice.rung = NULL;
        device = candidates[i].device;
        if (candidates[i].rung == choice.rung)
            candidates[i].parameters = choice.parameters;
    }
}

/* INFINITY where it was not timed. */
static double time_of(const struct measurement_list *look, const struct candidate *candidate)
{
    for (size_t i = 0; i < look->count; i++) {
        const struct measurement *measurement = &look->items[i];
        if (measurement->verdict == VERDICT_PASS && measurement->phases[PHASE_COMPUTE].count &&
            strcmp(measurement->rung, candidate->rung->name) == 0 &&
            strcmp(measurement->device, candidate->device->id) == 0)
            return measurement_summary(measurement, PHASE_COMPUTE).median;
    }
    return INFINITY;
}

struct leaders {
    double any, own; /* ns; INFINITY: none */
    const struct rung *chosen;
};

static struct leaders leaders_on(const struct device *device, const struct problem *problem,
                                 const struct measurement_list *look, const struct candidate *candidates, size_t count)
{
    struct leaders leaders = {.any = INFINITY, .own = INFINITY};
    struct rung_choice choice;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].device != device)
            continue;
        const double time = time_of(look, &candidates[i]);
        leaders.any = fmin(leaders.any, time);
        if (candidates[i].rung->kind != RUNG_VENDOR)
            leaders.own = fmin(leaders.own, time);
    }
    if (choose_rung(problem, device, NULL, &choice, NULL) == STATUS_OK)
        leaders.chosen = choice.rung;
    return leaders;
}

static bool is_kept(const struct candidate *candidate, double time, const struct leaders *leaders)
{
    if (isinf(leaders->any) || candidate->rung == leaders->chosen)
        return true;
    return candidate->rung->kind == RUNG_VENDOR ? time <= LIBRARY_SLOWEST * leaders->any
                                                : isfinite(time) && time <= leaders->own;
}

size_t fastest_keep(const struct problem *problem, const struct measurement_list *look, struct candidate *candidates,
                    size_t count)
{
    bool *kept = calloc(count + 1, sizeof *kept);
    size_t made = 0;
    for (size_t i = 0; kept && i < count; i++) {
        const struct leaders leaders = leaders_on(candidates[i].device, problem, look, candidates, count);
        kept[i] = is_kept(&candidates[i], time_of(look, &candidates[i]), &leaders);
    }
    for (size_t i = 0; i < count; i++)
        if (!kept || kept[i])
            candidates[made++] = candidates[i];
    free(kept);
    return made;
}

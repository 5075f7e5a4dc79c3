#include "lab/bench/halving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/fastest.h"

#define FIRST_SECONDS 0.002 /* of the first look at each; a launch and its warm-up take longer */

double halving_time(const struct measurement_list *list, const struct candidate *candidate)
{
    char parameters[sizeof list->items->parameters];
    candidate_parameters(candidate, parameters, sizeof parameters);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->verdict == VERDICT_PASS && measurement->phases[PHASE_COMPUTE].count &&
            strcmp(measurement->rung, candidate->rung->name) == 0 &&
            strcmp(measurement->device, candidate->device->id) == 0 && strcmp(measurement->parameters, parameters) == 0)
            return measurement_summary(measurement, PHASE_COMPUTE).median;
    }
    return INFINITY;
}

/* ---- the race --------------------------------------------------------------------------------------------------- */

struct runner_up {
    struct candidate candidate;
    double time;
};

static int compare(const void *a, const void *b)
{
    const struct runner_up *first = a, *second = b;
    return (first->time > second->time) - (first->time < second->time);
}

/* Times all of them, and sorts them, the fastest first; returns how many were timed. */
static enum status look(const struct halving *halving, const struct problem *problem, double seconds,
                        struct candidate *candidates, size_t *count, struct error *error)
{
    struct measurement_list list = {0};
    struct bench_options how = fastest_look(halving->options);
    struct runner_up *field = calloc(*count + 1, sizeof *field);
    size_t timed = 0;
    how.seconds = seconds;
    enum status status = field ? halving->bench(halving->context, problem, candidates, *count, &how, &list, error)
                               : fail(error, STATUS_UNAVAILABLE, "no memory for %zu candidates", *count);
    for (size_t i = 0; status == STATUS_OK && i < *count; i++) {
        field[timed] = (struct runner_up){candidates[i], halving_time(&list, &candidates[i])};
        timed += isfinite(field[timed].time);
    }
    if (status == STATUS_OK) {
        qsort(field, timed, sizeof *field, compare);
        for (size_t i = 0; i < timed; i++)
            candidates[i] = field[i].candidate;
        *count = timed;
    }
    free(field);
    measurement_list_free(&list);
    return status;
}

enum status halving_race(const struct halving *halving, const struct problem *problem, struct candidate *candidates,
                         size_t *count, struct error *error)
{
    enum status status = STATUS_OK;
    for (double seconds = FIRST_SECONDS; status == STATUS_OK && *count > halving->last; seconds *= 2) {
        const size_t half = (*count + 1) / 2;
        status = look(halving, problem, seconds, candidates, count, error);
        if (*count > half)
            *count = half > halving->last ? half : halving->last;
    }
    return status;
}

/* ---- the field -------------------------------------------------------------------------------------------------- */

/* Combinations of the tunables that have a list of values; 0 where they are too many to count. */
static size_t combinations(const struct rung *rung)
{
    size_t all = 1;
    for (size_t t = 0; t < rung->tunable_count; t++)
        if (rung->tunables[t].value_count > 0 && __builtin_mul_overflow(all, rung->tunables[t].value_count, &all))
            return 0;
    return all;
}

static void set_point(const struct rung *rung, size_t point, struct parameters *parameters)
{
    for (size_t t = 0; t < rung->tunable_count; t++) {
        const struct tunable *tunable = &rung->tunables[t];
        if (tunable->value_count == 0)
            continue;
        parameters->values[t] = tunable->values[point % tunable->value_count];
        point /= tunable->value_count;
    }
}

/* Visits points that are far from each other, each once, until the list is full or `LOOKS` have been refused. */
#define LOOKS 20000
#define GOLDEN 0.6180339887498949

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

enum status halving_points(struct device *device, const struct rung *rung, const struct problem *problem, size_t most,
                           struct candidate **candidates, size_t *count, struct error *error)
{
    const size_t all = combinations(rung);
    struct candidate first, *list = calloc(most + 1, sizeof *list);
    size_t made = 0, step = (size_t)(GOLDEN * (double)all);
    char reason[512];
    *candidates = NULL;
    *count = 0;
    enum status status = list ? candidate_make(device, rung, problem, NULL, &first, error)
                              : fail(error, STATUS_UNAVAILABLE, "no memory for %zu points", most);
    if (status == STATUS_OK && all == 0)
        status = fail(error, STATUS_INVALID, "rung '%s' has too many combinations of its parameters", rung->name);
    if (status != STATUS_OK) {
        free(list);
        return status;
    }
    list[made++] = first;
    while (step > 1 && common_divisor(step, all) != 1)
        step--;
    for (size_t i = 0, point = 0; i < all && i < LOOKS && made < most; i++, point = (point + (step ? step : 1)) % all) {
        struct candidate candidate = first;
        set_point(rung, point, &candidate.parameters);
        if (memcmp(&candidate.parameters, &first.parameters, sizeof first.parameters) != 0 &&
            !rung_refuses(rung, problem, device, &candidate.parameters, reason, sizeof reason))
            list[made++] = candidate;
    }
    *candidates = list;
    *count = made;
    return STATUS_OK;
}

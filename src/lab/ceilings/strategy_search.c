#include "lab/ceilings/strategy_search.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define FIRST_RUNS 2
#define LATE 4 /* in budgets: after that no further strategy is tried; the most promising come first */
#define FINALISTS 4
#define FINAL_ROUNDS 12

static double shortest_of(const struct strategy_trial *trial, size_t strategy, int whole, int runs, double *spent)
{
    double best = INFINITY;
    for (int i = 0; i < runs; i++) {
        double nanoseconds = trial->run(trial->context, strategy, whole);
        if (nanoseconds < 0)
            return INFINITY;
        *spent += nanoseconds;
        best = nanoseconds < best ? nanoseconds : best;
    }
    return best;
}

/* The fastest strategy that has not been chosen yet. */
static size_t next_best(const double *times, size_t count, const size_t *chosen, size_t chosen_count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        bool is_free = true;
        for (size_t c = 0; c < chosen_count; c++)
            is_free = is_free && chosen[c] != i;
        if (is_free && isfinite(times[i]) && (best == count || times[i] < times[best]))
            best = i;
    }
    return best;
}

/* Runs the finalists in turns until the budget is spent; returns the one with the shortest whole run. */
static size_t last_heat(const struct strategy_trial *trial, const size_t *finalists, size_t count)
{
    double times[FINALISTS], spent = 0;
    for (size_t i = 0; i < count; i++)
        times[i] = INFINITY;
    for (int round = 0; round < FINAL_ROUNDS && (round == 0 || spent < trial->budget); round++)
        for (size_t i = 0; i < count; i++)
            times[i] = fmin(times[i], shortest_of(trial, finalists[i], 1, 1, &spent));
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        best = times[i] < times[best] ? i : best;
    return finalists[best];
}

size_t strategy_search(const struct strategy_trial *trial)
{
    size_t finalists[FINALISTS], count = 0;
    double spent = 0, *times = trial->count > 1 ? malloc(trial->count * sizeof *times) : NULL;
    if (!times)
        return 0;
    for (size_t i = 0; i < trial->count; i++) {
        const int runs = i == 0 || spent < trial->budget ? FIRST_RUNS : 1;
        const bool is_late = spent > LATE * trial->budget;
        times[i] = is_late ? INFINITY : shortest_of(trial, i, 0, runs, &spent);
    }
    while (count < FINALISTS) {
        size_t next = next_best(times, trial->count, finalists, count);
        if (next == trial->count)
            break;
        finalists[count++] = next;
    }
    free(times);
    return count ? last_heat(trial, finalists, count) : 0;
}

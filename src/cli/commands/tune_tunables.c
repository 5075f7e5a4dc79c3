#include "cli/commands/tune_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/fastest.h"
#include "lab/bench/halving.h"

#define SEARCHED 1.5   /* tunables are searched of rungs that take at most so many times the fastest's time */
#define RUNGS_MOST 3   /* of these, at most */
#define POINTS_MOST 32 /* of each */
#define GAIN 0.97      /* other values than the defaults are kept where they take at most so much of their time */

struct tuned_time *tune_time_of(struct tuned_entry *entry, const struct rung *rung)
{
    for (size_t t = 0; t < entry->count; t++)
        if (strcmp(entry->times[t].rung, rung->name) == 0)
            return &entry->times[t];
    return NULL;
}

/* The points of the rungs that are near the fastest, in one list. */
static enum status collect_points(struct tuned_entry *entry, const struct candidate *candidates, size_t count,
                                  struct candidate *points, size_t *point_count, struct error *error)
{
    double fastest = INFINITY;
    size_t rungs = 0;
    enum status status = STATUS_OK;
    for (size_t t = 0; t < entry->count; t++)
        fastest = fmin(fastest, entry->times[t].nanoseconds);
    for (size_t i = 0; status == STATUS_OK && i < count && rungs < RUNGS_MOST; i++) {
        const struct tuned_time *time = tune_time_of(entry, candidates[i].rung);
        struct candidate *own = NULL;
        size_t own_count = 0;
        if (!time || time->nanoseconds > SEARCHED * fastest || candidates[i].rung->tunable_count == 0)
            continue;
        status = halving_points(candidates[i].device, candidates[i].rung, &entry->problem, POINTS_MOST, &own,
                                &own_count, error);
        if (own_count > 1) {
            memcpy(points + *point_count, own, own_count * sizeof *own);
            *point_count += own_count;
            rungs++;
        }
        free(own);
    }
    return status;
}

/* The winner beside the same rung's defaults: its values are kept, in `candidates` too, where they are faster. */
enum status tune_compare(const struct bench_session *session, struct tuned_entry *entry, const struct candidate *winner,
                         struct candidate *candidates, size_t count, struct error *error)
{
    struct measurement_list list = {0};
    struct candidate pair[2] = {*winner};
    char text[2 * TUNED_TUNABLES_MAX];
    size_t own = 0;
    const struct bench_options how = fastest_look(&session->options);
    while (own < count && candidates[own].rung != winner->rung)
        own++;
    pair[1] = candidates[own];
    candidate_parameters(winner, text, sizeof text);
    if (memcmp(&pair[0].parameters, &pair[1].parameters, sizeof pair[0].parameters) == 0 ||
        strlen(text) >= TUNED_TUNABLES_MAX)
        return STATUS_OK;
    enum status status = isolation_bench(&session->isolation, &entry->problem, pair, 2, &how, &list, error);
    const double best = halving_time(&list, &pair[0]), usual = halving_time(&list, &pair[1]);
    struct tuned_time *time = tune_time_of(entry, winner->rung);
    if (status == STATUS_OK && time && best <= GAIN * usual) {
        time->nanoseconds = best;
        snprintf(time->tunables, sizeof time->tunables, "%s", text);
        candidates[own].parameters = winner->parameters;
    }
    measurement_list_free(&list);
    return status;
}

enum status tune_tunables(const struct bench_session *session, struct tuned_entry *entry, struct candidate *candidates,
                          size_t count, struct error *error)
{
    struct candidate *points = calloc((size_t)RUNGS_MOST * POINTS_MOST, sizeof *points);
    size_t point_count = 0;
    enum status status = points ? collect_points(entry, candidates, count, points, &point_count, error)
                                : fail(error, STATUS_UNAVAILABLE, "no memory for the parameters' values");
    if (status == STATUS_OK)
        status =
            isolation_race(&session->isolation, &session->options, 1, &entry->problem, points, &point_count, error);
    if (status == STATUS_OK && point_count > 0)
        status = tune_compare(session, entry, &points[0], candidates, count, error);
    free(points);
    return status;
}

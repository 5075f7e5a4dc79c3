#include "cli/commands/tune_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/fastest.h"

#define CLOSE 1.3 /* rungs that take at most so many times the fastest's time are timed again … */
#define CLOSE_SECONDS 0.02
#define CLOSE_SAMPLES 9
#define CLOSE_NS 0.05e9 /* … unless one run takes longer: that is long enough */

static struct tuned_time *find(struct tuned_entry *entry, const char *rung)
{
    for (size_t t = 0; t < entry->count; t++)
        if (strcmp(entry->times[t].rung, rung) == 0)
            return &entry->times[t];
    return NULL;
}

/* Adds each rung's median, in place of an earlier one, or of an earlier one that is longer. */
static void take_times(const struct measurement_list *list, bool only_shorter, struct tuned_entry *entry)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->verdict != VERDICT_PASS || !measurement->phases[PHASE_COMPUTE].count)
            continue;
        const double nanoseconds = measurement_summary(measurement, PHASE_COMPUTE).median;
        struct tuned_time *time = find(entry, measurement->rung);
        if (!(nanoseconds > 0) || !isfinite(nanoseconds) || (!time && entry->count == TUNED_RUNGS_MAX))
            continue;
        if (time && only_shorter && time->nanoseconds < nanoseconds)
            continue;
        if (!time)
            time = &entry->times[entry->count++];
        snprintf(time->rung, sizeof time->rung, "%s", measurement->rung);
        time->nanoseconds = nanoseconds;
    }
}

static enum status bench(const struct bench_session *session, const struct problem *problem,
                         const struct candidate *candidates, size_t count, const struct bench_options *how,
                         bool only_shorter, struct tuned_entry *entry, struct error *error)
{
    struct measurement_list list = {0};
    enum status status = isolation_bench(&session->isolation, problem, candidates, count, how, &list, error);
    if (status == STATUS_OK)
        take_times(&list, only_shorter, entry);
    measurement_list_free(&list);
    return status;
}

/* Those near the fastest; returns how many. */
static size_t take_close(struct tuned_entry *entry, const struct candidate *candidates, size_t count,
                         struct candidate *close)
{
    double fastest = INFINITY;
    size_t made = 0;
    for (size_t t = 0; t < entry->count; t++)
        fastest = fmin(fastest, entry->times[t].nanoseconds);
    for (size_t i = 0; fastest <= CLOSE_NS && i < count; i++) {
        const struct tuned_time *time = find(entry, candidates[i].rung->name);
        if (time && time->nanoseconds <= CLOSE * fastest)
            close[made++] = candidates[i];
    }
    return made;
}

enum status tune_look(const struct bench_session *session, const struct problem *problem,
                      const struct candidate *candidates, size_t count, struct tuned_entry *entry, struct error *error)
{
    struct bench_options how = fastest_look(&session->options);
    struct candidate *close = calloc(count + 1, sizeof *close);
    if (!close)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
    enum status status = bench(session, problem, candidates, count, &how, false, entry, error);
    /* On a CPU a core that another program had for 10 ms is a rung's whole look. */
    if (status == STATUS_OK && count > 0 && candidates[0].device->properties.is_cpu)
        status = bench(session, problem, candidates, count, &how, true, entry, error);
    const size_t close_count = status == STATUS_OK ? take_close(entry, candidates, count, close) : 0;
    how.seconds = CLOSE_SECONDS;
    how.samples_least = CLOSE_SAMPLES;
    if (close_count > 1)
        status = bench(session, problem, close, close_count, &how, false, entry, error);
    free(close);
    return status;
}

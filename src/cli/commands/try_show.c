/* uskor try: the tables, and the file's place. */
#include <stdio.h>
#include <string.h>

#include "base/translation.h"
#include "cli/commands/try_job.h"

/* One line for each problem and device: where the user's rung is. */
static void print_places(FILE *stream, const struct try_job *job)
{
    const struct measurement_list *list = &job->session.list;
    const char *name = job->user.rung->name;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *mine = &list->items[i], *best = NULL;
        size_t place = 1, of = 1;
        double time = measurement_summary(mine, PHASE_COMPUTE).median, best_time = 0;
        if (strcmp(mine->rung, name) != 0 || mine->verdict != VERDICT_PASS || time <= 0)
            continue;
        for (size_t j = 0; j < list->count; j++) {
            const struct measurement *other = &list->items[j];
            double others = measurement_summary(other, PHASE_COMPUTE).median;
            if (other == mine || other->kind == MEASURED_PROBE || other->verdict != VERDICT_PASS || others <= 0 ||
                strcmp(other->problem, mine->problem) != 0 || strcmp(other->device, mine->device) != 0)
                continue;
            of++;
            place += others < time;
            if (!best || others < best_time)
                best = other, best_time = others;
        }
        fprintf(stream, tr("%s on %s: place %zu of %zu"), name, mine->device, place, of);
        if (best)
            fprintf(stream, tr(", %.2f × the time of %s"), time / best_time, best->rung);
        fputc('\n', stream);
    }
}

void try_print(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct try_job *job = (const struct try_job *)session;
    report_tables(stream, &session->list, style);
    fputc('\n', stream);
    print_places(stream, job);
}

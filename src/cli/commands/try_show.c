/* uskor try: the tables, and the file's place on the ladder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/translation.h"
#include "cli/commands/try_job.h"
#include "report/model/figures.h"
#include "report/model/place.h"
#include "report/terminal/folded.h"

/* "2.31", with the language's point. */
static const char *decimal(double value, char *text, size_t size)
{
    snprintf(text, size, value < 0.1 ? "%.2g" : "%.2f", value);
    return say_number(text);
}

/* Prints the user's rung's place, one line for each problem and device. */
static void print_places(FILE *stream, const struct try_job *job)
{
    char number[32];
    const struct measurement_list *list = &job->session.list;
    const char *name = job->user.rung->name;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *mine = &list->items[i];
        if (strcmp(mine->rung, name) != 0 || mine->verdict != VERDICT_PASS || !mine->phases[PHASE_COMPUTE].count)
            continue;
        const struct place place = place_of(list, mine);
        fprintf(stream, tr("%s on %s: place %zu of %zu"), name, mine->device, place.place, place.of);
        if (place.best && place.times == 1)
            fprintf(stream, tr(", as fast as %s"), place.best->rung);
        else if (place.best)
            fprintf(stream, tr(", %s × the time of %s"), decimal(place.times, number, sizeof number), place.best->rung);
        fputc('\n', stream);
    }
}

/* ---- what binds it, what would help, and the rung that does it -------------------------------------------------- */

/* The slowest rung that is surely faster than the user's, libraries excluded; NULL if none. */
static const struct measurement *find_next(const struct try_job *job, const struct measurement *mine)
{
    const struct measurement *next = NULL;
    double nearest = 0;
    for (size_t i = 0; i < job->session.list.count; i++) {
        const struct measurement *other = &job->session.list.items[i];
        const struct rung *rung = other->kind == MEASURED_PROBE ? NULL : rung_by_name(job->kernel, other->rung, NULL);
        double others = measurement_summary(other, PHASE_COMPUTE).median;
        if (rung && rung->kind != RUNG_VENDOR && other->verdict == VERDICT_PASS && others > nearest &&
            surely_faster(other, mine) && strcmp(other->problem, mine->problem) == 0 &&
            strcmp(other->device, mine->device) == 0) {
            next = other;
            nearest = others;
        }
    }
    return next;
}

static void print_next(FILE *stream, const struct try_job *job, const struct measurement *mine)
{
    const struct measurement *next = find_next(job, mine);
    double time = measurement_summary(mine, PHASE_COMPUTE).median;
    char number[32];
    if (next)
        fprintf(stream, tr("  the next rung is %s, %s × as fast: %s\n"), next->rung,
                decimal(time / measurement_summary(next, PHASE_COMPUTE).median, number, sizeof number), tr(next->idea));
    else
        fprintf(stream, "  %s\n", tr("no rung of the ladder that was timed is faster"));
}

/* Prints the share of the ceiling, which only a measurement shows. */
static void print_share(FILE *stream, const struct try_job *job, const struct measurement *mine)
{
    const struct measurement *ceiling;
    struct measured_ratio share = figures_share(&job->session.list, mine, &ceiling);
    if (!ceiling || share.is_void || share.value <= 0)
        return;
    fprintf(stream, tr("  %.0f %% of the ceiling (%s): "), 100 * share.value, ceiling->rung);
    fprintf(stream, "%s\n",
            share.value > 0.8 ? tr("only less work than the problem's least would make it much faster")
                              : tr("it waits for something else than that; 'uskor explain --file' counts what"));
}

static void print_explanation(FILE *stream, struct try_job *job)
{
    for (size_t i = 0; i < job->session.list.count; i++) {
        const struct measurement *mine = &job->session.list.items[i];
        if (strcmp(mine->rung, job->user.rung->name) != 0 || mine->verdict != VERDICT_PASS ||
            measurement_summary(mine, PHASE_COMPUTE).median <= 0)
            continue;
        if (!try_advice_print(stream, job, mine->problem))
            print_share(stream, job, mine);
        print_next(stream, job, mine);
        return;
    }
}

void try_print(FILE *out, const struct bench_session *session, struct style style)
{
    struct try_job *job = (struct try_job *)session;
    report_tables(out, &session->list, style);
    FILE *stream = folded_begin(out, style);
    fputc('\n', stream);
    print_places(stream, job);
    print_explanation(stream, job);
    folded_end(stream, out);
}

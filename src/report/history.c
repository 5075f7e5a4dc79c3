#include "report/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/columns.h"

#define RUNG_WIDTH 20
#define TIME_WIDTH 13
#define CHANGE_WIDTH 10

void report_runs(FILE *stream, const struct store_run_list *runs, struct style style)
{
    char text[64];
    int rest = style.width - (6 + 2 + 16 + 2 + 20 + 9 + 7 + 2 + 18 + 2);
    fprintf(stream, "%s%6s  %-16s  %-20s%9s%7s  %-18s  %s%s\n", style.colour ? "\033[1m" : "", "run", "begun", "label",
            "measured", "wrong", "code", "command", style.colour ? "\033[0m" : "");
    for (size_t i = 0; i < runs->count; i++) {
        const struct store_run *run = &runs->items[i];
        fprintf(stream, "%6" PRId64 "  %-16s  ", run->id, text_moment(run->started, text, sizeof text));
        column_left(stream, run->label, 20);
        fprintf(stream, "%9zu%7zu  ", run->measurements, run->wrong);
        column_left(stream, run->code_version, 18);
        fputs("  ", stream);
        column_left(stream, run->command, rest > 24 ? rest : 24);
        fputc('\n', stream);
    }
}

/* One table: a problem on a device, hot or cold. */
struct scene {
    const struct measurement_list *list;
    const struct measurement *first; /* names it */
    const struct store_run **runs;   /* its columns */
    size_t run_count;
};

static bool in_scene(const struct measurement *measurement, const struct measurement *first)
{
    return measurement->kind != MEASURED_LIMIT && measurement->cold == first->cold &&
           strcmp(measurement->problem, first->problem) == 0 && strcmp(measurement->device, first->device) == 0 &&
           strcmp(measurement->device_name, first->device_name) == 0;
}

/* The best of a rung in a run, which may have tried several parameters; NULL when it was not there. */
static const struct measurement *best_of(const struct scene *scene, const char *rung, int64_t run)
{
    const struct measurement *best = NULL;
    double best_median = 0;
    for (size_t i = 0; i < scene->list->count; i++) {
        const struct measurement *measurement = &scene->list->items[i];
        if (measurement->run != run || strcmp(measurement->rung, rung) != 0 || !in_scene(measurement, scene->first))
            continue;
        double median = measurement_summary(measurement, PHASE_COMPUTE).median;
        if (!best || (median > 0 && (best_median <= 0 || median < best_median))) {
            best = measurement;
            best_median = median;
        }
    }
    return best;
}

/* Median time or verdict; returns the median, 0 when there is none. */
static double print_cell(FILE *stream, const struct measurement *measurement)
{
    char text[32];
    double median = measurement ? measurement_summary(measurement, PHASE_COMPUTE).median : 0;
    if (median > 0)
        text_duration(median, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", measurement ? verdict_name(measurement->verdict) : "·");
    column_right(stream, text, TIME_WIDTH);
    return median;
}

static void print_rung(FILE *stream, const struct scene *scene, const char *rung)
{
    double oldest = 0, newest = 0;
    fputs("  ", stream);
    column_left(stream, rung, RUNG_WIDTH);
    for (size_t r = 0; r < scene->run_count; r++) {
        double median = print_cell(stream, best_of(scene, rung, scene->runs[r]->id));
        newest = median > 0 ? median : newest;
        oldest = oldest > 0 ? oldest : median;
    }
    if (scene->run_count > 1 && oldest > 0)
        fprintf(stream, "%+*.1f %%", CHANGE_WIDTH - 2, 100 * (newest / oldest - 1));
    fputc('\n', stream);
}

static bool any_label(const struct scene *scene)
{
    for (size_t r = 0; r < scene->run_count; r++)
        if (scene->runs[r]->label[0])
            return true;
    return false;
}

static void print_head(FILE *stream, const struct scene *scene, struct style style)
{
    const struct measurement *first = scene->first;
    char text[32];
    fprintf(stream, "\n%s%s%s · %s — %s%s\n  %-*s", style.colour ? "\033[1m" : "", first->problem,
            first->cold ? " (cold)" : "", first->device, first->device_name, style.colour ? "\033[0m" : "", RUNG_WIDTH,
            "run");
    for (size_t r = 0; r < scene->run_count; r++)
        fprintf(stream, "%*" PRId64, TIME_WIDTH, scene->runs[r]->id);
    fprintf(stream, "%*s\n  %-*s", CHANGE_WIDTH, scene->run_count > 1 ? "change" : "", RUNG_WIDTH, "");
    for (size_t r = 0; r < scene->run_count; r++) /* without the year */
        column_right(stream, strchr(text_moment(scene->runs[r]->started, text, sizeof text), '-') + 1, TIME_WIDTH);
    if (any_label(scene)) {
        fprintf(stream, "\n  %-*s", RUNG_WIDTH, "");
        for (size_t r = 0; r < scene->run_count; r++) {
            fputs("  ", stream);
            column_right(stream, scene->runs[r]->label, TIME_WIDTH - 2);
        }
    }
    fputc('\n', stream);
}

static bool has_scene(const struct scene *scene, int64_t run)
{
    for (size_t i = 0; i < scene->list->count; i++)
        if (scene->list->items[i].run == run && in_scene(&scene->list->items[i], scene->first))
            return true;
    return false;
}

/* The newest runs that have the scene, as many as fit, oldest first. */
static void choose_runs(struct scene *scene, const struct store_run_list *runs, int width)
{
    int room = (width - 2 - RUNG_WIDTH - CHANGE_WIDTH) / TIME_WIDTH;
    size_t most = room > 1 ? (size_t)room : 1;
    scene->run_count = 0;
    for (size_t r = 0; r < runs->count && scene->run_count < most; r++)
        if (has_scene(scene, runs->items[r].id))
            scene->runs[scene->run_count++] = &runs->items[r];
    for (size_t low = 0, high = scene->run_count; low + 1 < high; low++, high--) {
        const struct store_run *moved = scene->runs[low];
        scene->runs[low] = scene->runs[high - 1];
        scene->runs[high - 1] = moved;
    }
}

static bool in_runs(const struct scene *scene, int64_t run)
{
    for (size_t r = 0; r < scene->run_count; r++)
        if (scene->runs[r]->id == run)
            return true;
    return false;
}

static void print_scene(FILE *stream, const struct scene *scene, struct style style)
{
    print_head(stream, scene, style);
    for (size_t i = 0; i < scene->list->count; i++) {
        const struct measurement *measurement = &scene->list->items[i];
        bool is_first = in_scene(measurement, scene->first) && in_runs(scene, measurement->run);
        for (size_t before = 0; before < i && is_first; before++)
            is_first = strcmp(scene->list->items[before].rung, measurement->rung) != 0 ||
                       !in_scene(&scene->list->items[before], scene->first) ||
                       !in_runs(scene, scene->list->items[before].run);
        if (is_first)
            print_rung(stream, scene, measurement->rung);
    }
}

void report_history(FILE *stream, const struct measurement_list *list, const struct store_run_list *runs,
                    struct style style)
{
    struct scene scene = {.list = list, .runs = calloc(runs->count + 1, sizeof(const struct store_run *))};
    for (size_t i = 0; scene.runs && i < list->count; i++) {
        bool is_first = list->items[i].kind != MEASURED_LIMIT;
        for (size_t before = 0; before < i && is_first; before++)
            is_first = !in_scene(&list->items[before], &list->items[i]);
        if (!is_first)
            continue;
        scene.first = &list->items[i];
        choose_runs(&scene, runs, style.width);
        print_scene(stream, &scene, style);
    }
    free(scene.runs);
    fputs("\n  median times of the kernel; where a run tried several parameters, its best. change: the newest over the "
          "oldest shown.\n  Runs were not interleaved: 'uskor compare RUN RUN' says what can be told from them.\n",
          stream);
}

#include "report/terminal/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/heading.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/folded.h"
#include "store/noise.h"

#define RUNG_WIDTH 20
#define TIME_WIDTH 13
#define CHANGE_WIDTH 11

#define WIDE 120 /* columns from which there is room for the code's version */
#define CODE_WIDTH 18
#define LEAST_COMMAND 24
#define LABEL_MOST 20

/* As wide as the longest label, and as its title. */
static int widest_label(const struct store_run_list *runs)
{
    int width = column_width(tr("label"));
    for (size_t i = 0; i < runs->count; i++) {
        int label = column_width(runs->items[i].label);
        width = label > width ? label : width;
    }
    return width < LABEL_MOST ? width : LABEL_MOST;
}

/* Without the program's name, which is in all of them. */
static void print_cut_command(FILE *stream, const char *command, int width)
{
    column_cut(stream, strncmp(command, "uskor ", 6) == 0 ? command + 6 : command, width);
}

void report_runs(FILE *out, const struct store_run_list *runs, struct style style)
{
    FILE *stream = folded_begin(out, style);
    char text[64];
    bool has_code = style.width >= WIDE;
    int label = widest_label(runs), fixed = 6 + 2 + 16 + 2 + label + 11 + 8 + 2 + (has_code ? CODE_WIDTH + 2 : 0);
    int rest = style.width - fixed > LEAST_COMMAND ? style.width - fixed : LEAST_COMMAND;
    fputs(strong(style), stream);
    columns_print(stream, ">6  <16  <*>11>8  ", tr("run"), tr("begun"), label, tr("label"), tr("measured"),
                  tr("wrong"));
    if (has_code) {
        column_left(stream, tr("code"), CODE_WIDTH);
        fputs("  ", stream);
    }
    fprintf(stream, "%s%s\n", tr("command"), plain(style));
    for (size_t i = 0; i < runs->count; i++) {
        const struct store_run *run = &runs->items[i];
        fprintf(stream, "%6" PRId64 "  %-16s  ", run->id, text_moment(run->started, text, sizeof text));
        column_left(stream, run->label, label);
        fprintf(stream, "%11zu%8zu  ", run->measurements, run->wrong);
        if (has_code) {
            column_left(stream, run->code_version, CODE_WIDTH);
            fputs("  ", stream);
        }
        print_cut_command(stream, run->command, rest);
        fputc('\n', stream);
    }
    folded_end(stream, out);
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
    return measurement->kind != MEASURED_PROBE && measurement->cold == first->cold &&
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
        double median = measurement_is_void(measurement) ? 0 : measurement_summary(measurement, PHASE_COMPUTE).median;
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
    const bool is_void = measurement && measurement->verdict == VERDICT_PASS && measurement_is_void(measurement);
    double median = measurement && !is_void ? measurement_summary(measurement, PHASE_COMPUTE).median : 0;
    if (is_void)
        snprintf(text, sizeof text, "%s", tr("—, noisy"));
    else if (median > 0)
        text_duration(median, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", measurement ? say_verdict(measurement->verdict) : "·");
    column_right(stream, median > 0 ? say_quantity(text, sizeof text) : text, TIME_WIDTH);
    return median;
}

static void print_rung(FILE *stream, const struct scene *scene, const char *rung)
{
    double oldest = 0, newest = 0;
    size_t timed = 0;
    char text[32] = "";
    fputs("  ", stream);
    column_left(stream, rung, RUNG_WIDTH);
    for (size_t r = 0; r < scene->run_count; r++) {
        double median = print_cell(stream, best_of(scene, rung, scene->runs[r]->id));
        newest = median > 0 ? median : newest;
        oldest = oldest > 0 ? oldest : median;
        timed += median > 0;
    }
    if (timed > 1)
        snprintf(text, sizeof text, "%+.1f %%", 100 * (newest / oldest - 1));
    column_right(stream, say_number(text), CHANGE_WIDTH);
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
    char text[32], title[HEADING_BYTES];
    fprintf(stream, "\n%s%s%s · %s — %s%s\n  ", strong(style), problem_title(first->problem, title),
            first->cold ? tr(" (cold)") : "", first->device, first->device_name, plain(style));
    column_left(stream, tr("run"), RUNG_WIDTH);
    for (size_t r = 0; r < scene->run_count; r++)
        fprintf(stream, "%*" PRId64, TIME_WIDTH, scene->runs[r]->id);
    column_right(stream, scene->run_count > 1 ? tr("change") : "", CHANGE_WIDTH);
    fprintf(stream, "\n  %-*s", RUNG_WIDTH, "");
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

/* Of one run, or of all that are shown (0). */
static struct cores_seen cores_of(const struct scene *scene, int64_t run)
{
    struct cores_seen seen = {0};
    for (size_t i = 0; i < scene->list->count; i++) {
        const struct measurement *measurement = &scene->list->items[i];
        if (in_scene(measurement, scene->first) && (run ? measurement->run == run : in_runs(scene, measurement->run)))
            cores_add(&seen, measurement);
    }
    return seen;
}

/* The latency between the cores in each run, where any run has one. */
static void print_cores(FILE *stream, const struct scene *scene)
{
    char text[64];
    struct cores_seen seen = cores_of(scene, 0);
    if (!(seen.low > 0))
        return;
    fputs("  ", stream);
    column_left(stream, tr("cores apart"), RUNG_WIDTH);
    for (size_t r = 0; r < scene->run_count; r++) {
        seen = cores_of(scene, scene->runs[r]->id);
        if (*cores_distance(&seen, text, sizeof text))
            text_append(text, sizeof text, " ns");
        column_right(stream, *text ? say_quantity(text, sizeof text) : "·", TIME_WIDTH);
    }
    fputc('\n', stream);
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
    print_cores(stream, scene);
}

void report_history(FILE *out, const struct measurement_list *list, const struct store_run_list *runs,
                    struct style style)
{
    FILE *stream = folded_begin(out, style);
    struct scene scene = {.list = list, .runs = calloc(runs->count + 1, sizeof(const struct store_run *))};
    for (size_t i = 0; scene.runs && i < list->count; i++) {
        if (list->items[i].kind == MEASURED_PROBE || !is_first_alike(list, i, in_scene))
            continue;
        scene.first = &list->items[i];
        choose_runs(&scene, runs, style.width);
        print_scene(stream, &scene, style);
    }
    free(scene.runs);
    fputc('\n', stream);
    columns_note(stream, style, "%s",
                 tr("Medians, of several parameters the best; change: the newest over the oldest. These runs were not "
                    "interleaved: see uskor compare"));
    folded_end(stream, out);
}

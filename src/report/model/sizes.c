#include "report/model/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "report/html/palette.h"
#include "report/model/key_values.h"

/* Is the ladder one of the device's that differ from `like` in sizes only? */
static bool belongs(const struct ladder *ladder, const struct ladder *like)
{
    const struct measurement *of = ladder_of(ladder), *as = ladder_of(like);
    return ladder->passed && ladder_same_device(ladder, like) && of->cold == as->cold &&
           key_values_differ_in_numbers_only(of->problem, as->problem);
}

/* The names whose numbers are not the same in all problems: at most one axis' worth of them ("m = n = k"), else 0. */
static size_t varying(const struct kernel_view *kernel, const struct ladder *like, size_t names[WORDS_MAX])
{
    struct key_value words[WORDS_MAX], others[WORDS_MAX];
    size_t count = key_values_of(ladder_of(like)->problem, ',', words), varying_count = 0;
    for (size_t w = 0; w < count; w++) {
        bool varies = false;
        for (size_t i = 0; i < kernel->ladder_count; i++)
            if (belongs(&kernel->ladders[i], like)) {
                key_values_of(ladder_of(&kernel->ladders[i])->problem, ',', others);
                varies = varies || others[w].number != words[w].number;
            }
        if (varies)
            names[varying_count++] = w;
    }
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        if (!belongs(&kernel->ladders[i], like))
            continue;
        key_values_of(ladder_of(&kernel->ladders[i])->problem, ',', others);
        for (size_t v = 1; v < varying_count; v++)
            if (others[names[v]].number != others[names[0]].number)
                return 0;
    }
    return varying_count;
}

static double place_of(const struct sizes *sizes, const struct ladder *ladder, size_t word)
{
    struct key_value words[WORDS_MAX];
    if (sizes->of_bytes)
        return ladder_of(ladder)->bytes;
    key_values_of(ladder_of(ladder)->problem, ',', words);
    return words[word].number;
}

static void name_axis(struct sizes *sizes, const struct ladder *like, const size_t *names, size_t count)
{
    struct key_value words[WORDS_MAX];
    key_values_of(ladder_of(like)->problem, ',', words);
    sizes->of_bytes = count == 0;
    if (sizes->of_bytes)
        snprintf(sizes->axis, sizeof sizes->axis, "%s", tr("bytes that must be moved"));
    for (size_t i = 0; i < count; i++)
        text_append(sizes->axis, sizeof sizes->axis, "%s%.*s", i ? " = " : "", (int)words[names[i]].name_length,
                    words[names[i]].name);
}

static bool has_ceiling(const struct entry *entry)
{
    return entry->measurement->ceiling[0] != 0;
}

/* The passed entry of that name. */
static const struct entry *named(const struct entry *const *entries, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i]->rate > 0 && strcmp(entries[i]->measurement->rung, name) == 0)
            return entries[i];
    return NULL;
}

/* The entry that a ladder contributes to a line; NULL when there is none. */
static const struct entry *entry_of(const struct ladder *ladder, const char *name, enum measured_kind kind,
                                    bool beside_ceilings)
{
    const struct entry *ceilings[LADDER_CEILINGS_MAX];
    if (kind == MEASURED_PROBE)
        return named(ceilings, ladder_ceilings(ladder, ceilings), name);
    const struct entry *entry = named(ladder->rungs, ladder->rung_count, name);
    return entry && (has_ceiling(entry) || !beside_ceilings) ? entry : NULL;
}

/* Was anything on the device timed beside a ceiling? */
static bool any_has_ceiling(const struct kernel_view *kernel, const struct ladder *like)
{
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        size_t rungs = belongs(&kernel->ladders[i], like) ? kernel->ladders[i].rung_count : 0;
        for (size_t r = 0; r < rungs; r++)
            if (has_ceiling(kernel->ladders[i].rungs[r]))
                return true;
    }
    return false;
}

static int compare_points(const void *a, const void *b)
{
    double left = ((const struct size_point *)a)->x, right = ((const struct size_point *)b)->x;
    return (left > right) - (left < right);
}

static bool has_line(const struct sizes *sizes, const char *name, bool is_ceiling)
{
    for (size_t i = 0; i < sizes->line_count; i++)
        if ((sizes->lines[i].kind == MEASURED_PROBE) == is_ceiling && strcmp(sizes->lines[i].rung, name) == 0)
            return true;
    return false;
}

void sizes_add_point(struct sizes *sizes, struct size_line *line, double x, const struct entry *entry)
{
    sizes->points[sizes->point_count++] = (struct size_point){.x = x, .entry = entry};
    line->count++;
    sizes->least = sizes->least > 0 ? fmin(sizes->least, x) : x;
    sizes->most = fmax(sizes->most, x);
    if (line->kind != MEASURED_PROBE)
        sizes->highest_rate = fmax(sizes->highest_rate, entry->rate_high);
}

/* Adds the line of a rung or a ceiling, if it is new and has points. */
static void add_line(struct sizes *sizes, const struct kernel_view *kernel, const struct entry *any, size_t word)
{
    const char *rung = any->measurement->rung;
    enum measured_kind kind = any->measurement->kind;
    if (!(any->rate > 0) || has_line(sizes, rung, kind == MEASURED_PROBE))
        return;
    bool beside_ceilings = any_has_ceiling(kernel, sizes->ladder);
    struct size_line *line = &sizes->lines[sizes->line_count++];
    *line = (struct size_line){.rung = rung, .kind = kind, .first = sizes->point_count, .series = -1};
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct ladder *ladder = &kernel->ladders[i];
        if (!belongs(ladder, sizes->ladder))
            continue;
        const struct entry *entry = entry_of(ladder, rung, kind, beside_ceilings);
        double x = place_of(sizes, ladder, word);
        if (!entry || !(x > 0))
            continue;
        sizes_add_point(sizes, line, x, entry);
    }
    if (!line->count)
        sizes->line_count--;
}

static void add_lines(struct sizes *sizes, const struct kernel_view *kernel, size_t word)
{
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct ladder *ladder = &kernel->ladders[i];
        const struct entry *ceilings[LADDER_CEILINGS_MAX];
        if (!belongs(ladder, sizes->ladder))
            continue;
        for (size_t r = 0; r < ladder->rung_count; r++)
            add_line(sizes, kernel, ladder->rungs[r], word);
        for (size_t l = 0, count = ladder_ceilings(ladder, ceilings); l < count; l++)
            add_line(sizes, kernel, ceilings[l], word);
    }
}

static double last_rate(const struct sizes *sizes, const struct size_line *line)
{
    return sizes->points[line->first + line->count - 1].entry->rate;
}

/* Colours for the ladder's first rung, and for the fastest at their largest size. */
static void choose_series(struct sizes *sizes)
{
    for (int series = 0; series < PALETTE_SERIES; series++) {
        struct size_line *best = NULL;
        for (size_t i = 0; i < sizes->line_count; i++) {
            struct size_line *line = &sizes->lines[i];
            if (line->series >= 0 || line->kind == MEASURED_PROBE || line->count < 2)
                continue;
            if (!best || (series != 1 && last_rate(sizes, line) > last_rate(sizes, best)))
                best = line; /* the second colour is the first line's that has none yet */
        }
        if (best)
            best->series = series;
    }
}

enum status sizes_begin(const struct ladder *ladder, size_t most, struct sizes *sizes, struct error *error)
{
    *sizes = (struct sizes){
        .ladder = ladder,
        .unit = ladder_of(ladder)->rate_unit,
        .lines = calloc(most, sizeof *sizes->lines),
        .points = calloc(most, sizeof *sizes->points),
        .names = calloc(most, sizeof *sizes->names),
    };
    if (sizes->lines && sizes->points && sizes->names)
        return STATUS_OK;
    sizes_free(sizes);
    return fail(error, STATUS_UNAVAILABLE, "no memory for a chart of %zu measurements", most);
}

void sizes_end(struct sizes *sizes)
{
    for (size_t i = 0; i < sizes->line_count; i++)
        qsort(sizes->points + sizes->lines[i].first, sizes->lines[i].count, sizeof *sizes->points, compare_points);
    if (!(sizes->most > sizes->least))
        sizes->line_count = 0;
    choose_series(sizes);
}

enum status sizes_make(const struct kernel_view *kernel, const struct ladder *any, struct sizes *sizes,
                       struct error *error)
{
    size_t names[WORDS_MAX], most = 1;
    const struct ladder *like = kernel_representative(kernel, any);
    for (size_t i = 0; i < kernel->ladder_count; i++)
        most += kernel->ladders[i].rung_count + LADDER_CEILINGS_MAX;
    enum status status = sizes_begin(like, most, sizes, error);
    if (status != STATUS_OK)
        return status;
    size_t count = varying(kernel, like, names);
    name_axis(sizes, like, names, count);
    add_lines(sizes, kernel, count ? names[0] : 0);
    sizes_end(sizes);
    return STATUS_OK;
}

const char *sizes_line_name(const struct size_line *line, char *text, size_t size)
{
    if (line->kind == MEASURED_PROBE)
        snprintf(text, size, "%s %s", tr("ceiling"), line->rung);
    return line->kind == MEASURED_PROBE ? text : line->rung;
}

void sizes_free(struct sizes *sizes)
{
    free(sizes->lines);
    free(sizes->points);
    free(sizes->names);
    *sizes = (struct sizes){0};
}

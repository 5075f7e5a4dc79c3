#include "report/model/scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/translation.h"
#include "report/model/rows.h"

unsigned scaling_ranks(const struct measurement *measurement)
{
    return strcmp(measurement->kernel, SCALING_KERNEL) == 0 ? parameter_of(measurement, "ranks=") : 0;
}

bool scaling_is_weak(const struct measurement *measurement)
{
    return strstr(measurement->parameters, " weak") != NULL;
}

static bool belongs(const struct entry *entry, const char *method, bool is_weak)
{
    return entry->rate > 0 && scaling_ranks(entry->measurement) > 0 && scaling_is_weak(entry->measurement) == is_weak &&
           (!method || strcmp(entry->measurement->rung, method) == 0);
}

static bool has_line(const struct sizes *sizes, const char *method)
{
    for (size_t i = 0; i < sizes->line_count; i++)
        if (strcmp(sizes->lines[i].rung, method) == 0)
            return true;
    return false;
}

/* A ladder's entries are in the order in which they were made: a later one replaces that of as many ranks. */
static void add_point(struct sizes *sizes, struct size_line *line, const struct entry *entry)
{
    const double x = scaling_ranks(entry->measurement);
    for (size_t i = 0; i < line->count; i++)
        if (sizes->points[line->first + i].x == x) {
            sizes->points[line->first + i].entry = entry;
            return;
        }
    sizes->points[line->first + line->count++] = (struct size_point){.x = x, .entry = entry};
}

static void add_line(struct sizes *sizes, const struct ladder *ladder, const struct entry *any, bool is_weak)
{
    struct size_line *line = &sizes->lines[sizes->line_count++];
    *line = (struct size_line){
        .rung = any->measurement->rung, .kind = any->measurement->kind, .first = sizes->point_count, .series = -1};
    for (size_t i = 0; i < ladder->entry_count; i++)
        if (belongs(&ladder->entries[i], line->rung, is_weak))
            add_point(sizes, line, &ladder->entries[i]);
    sizes->point_count += line->count;
    for (size_t i = 0; i < line->count; i++) {
        const struct size_point *point = &sizes->points[line->first + i];
        sizes->least = sizes->least > 0 ? fmin(sizes->least, point->x) : point->x;
        sizes->most = fmax(sizes->most, point->x);
        sizes->highest_rate = fmax(sizes->highest_rate, point->entry->rate_high);
    }
}

enum status scaling_make(const struct ladder *ladder, bool is_weak, struct sizes *sizes, struct error *error)
{
    enum status status = sizes_begin(ladder, ladder->entry_count + 1, sizes, error);
    if (status != STATUS_OK)
        return status;
    snprintf(sizes->axis, sizeof sizes->axis, "%s", tr("ranks"));
    for (size_t i = 0; i < ladder->entry_count; i++)
        if (belongs(&ladder->entries[i], NULL, is_weak) && !has_line(sizes, ladder->entries[i].measurement->rung))
            add_line(sizes, ladder, &ladder->entries[i], is_weak);
    sizes_end(sizes);
    return STATUS_OK;
}

const struct entry *scaling_alone(const struct sizes *sizes, const struct size_line *line)
{
    const struct size_point *first = &sizes->points[line->first];
    return line->count && first->x == 1 ? first->entry : NULL;
}

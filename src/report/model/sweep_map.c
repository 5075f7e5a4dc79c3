#include "report/model/sweep_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "report/model/key_values.h"

/* Which of a ladder's entries are the sweep. */
struct chosen {
    const char *rung;
    int64_t run;
};

static bool is_chosen(const struct chosen *chosen, const struct entry *entry)
{
    const struct measurement *measurement = entry->measurement;
    return measurement->kind != MEASURED_PROBE && measurement->run == chosen->run && *measurement->parameters &&
           strcmp(measurement->rung, chosen->rung) == 0;
}

static size_t size_of(const struct ladder *ladder, const struct chosen *chosen)
{
    size_t count = 0;
    for (size_t i = 0; i < ladder->entry_count; i++)
        count += is_chosen(chosen, &ladder->entries[i]);
    return count;
}

/* The largest sweep of the rung at `place` on the ladder; false when there is none. */
static bool choose(const struct ladder *ladder, size_t place, struct chosen *chosen)
{
    size_t most = 0;
    int64_t last = -1;
    for (size_t i = 0; i < ladder->entry_count; i++) {
        const struct measurement *measurement = ladder->entries[i].measurement;
        struct chosen candidate = {.rung = ladder->rungs[place]->measurement->rung, .run = measurement->run};
        if (measurement->run == last || !is_chosen(&candidate, &ladder->entries[i]))
            continue;
        last = measurement->run;
        size_t count = size_of(ladder, &candidate);
        if (count >= SWEEP_LEAST && count >= most) {
            most = count;
            *chosen = candidate;
        }
    }
    return most > 0;
}

static void add_value(struct sweep_axis *axis, double value)
{
    for (size_t i = 0; i < axis->count; i++)
        if (axis->values[i] == value)
            return;
    if (axis->count < SWEEP_VALUES_MAX)
        axis->values[axis->count++] = value;
}

static bool number_of(const struct entry *entry, const char *name, double *value)
{
    struct key_value words[WORDS_MAX];
    size_t count = key_values_of(entry->measurement->parameters, ' ', words);
    const struct key_value *word = key_values_find(words, count, name, strlen(name));
    if (!word || !word->has_number)
        return false;
    *value = word->number;
    return true;
}

static struct sweep_axis axis_of(const struct ladder *ladder, const struct chosen *chosen, const struct key_value *word)
{
    struct sweep_axis axis = {.count = 0};
    double value;
    snprintf(axis.name, sizeof axis.name, "%.*s", (int)word->name_length, word->name);
    for (size_t i = 0; i < ladder->entry_count; i++)
        if (is_chosen(chosen, &ladder->entries[i]) && number_of(&ladder->entries[i], axis.name, &value))
            add_value(&axis, value);
    qsort(axis.values, axis.count, sizeof axis.values[0], statistics_compare);
    return axis;
}

/* The two parameters with the most values, in the order in which the rung names them. */
static void find_axes(const struct ladder *ladder, const struct chosen *chosen, struct sweep_map *map)
{
    struct key_value words[WORDS_MAX];
    const struct entry *first = ladder->entries;
    while (!is_chosen(chosen, first))
        first++;
    size_t count = key_values_of(first->measurement->parameters, ' ', words);
    for (size_t w = 0; w < count; w++) {
        struct sweep_axis axis = axis_of(ladder, chosen, &words[w]);
        if (axis.count < 2)
            continue;
        map->others++;
        if (!map->columns.count) {
            map->columns = axis;
        } else if (!map->rows.count) {
            map->rows = axis;
        } else if (axis.count > fmin((double)map->columns.count, (double)map->rows.count)) {
            if (map->columns.count < map->rows.count)
                map->columns = map->rows;
            map->rows = axis;
        }
    }
    map->others = map->others > 2 ? map->others - 2 : 0;
    if (!map->rows.count)
        map->rows = (struct sweep_axis){.count = 1};
}

static size_t place_on(const struct sweep_axis *axis, const struct entry *entry)
{
    double value;
    size_t place = 0;
    if (!*axis->name)
        return 0;
    if (!number_of(entry, axis->name, &value))
        return axis->count;
    while (place < axis->count && axis->values[place] != value)
        place++;
    return place;
}

static void fill(const struct ladder *ladder, const struct chosen *chosen, struct sweep_map *map)
{
    for (size_t i = 0; i < ladder->entry_count; i++) {
        const struct entry *entry = &ladder->entries[i];
        size_t column = place_on(&map->columns, entry), row = place_on(&map->rows, entry);
        if (!is_chosen(chosen, entry) || column == map->columns.count || row == map->rows.count)
            continue;
        const struct entry **cell = &map->cells[row * map->columns.count + column];
        if (!*cell || entry->rate > (*cell)->rate)
            *cell = entry;
        if (!(entry->rate > 0))
            continue;
        if (!map->best || entry->rate > map->best->rate)
            map->best = entry;
        map->fastest = map->fastest > 0 ? fmin(map->fastest, entry->time.median) : entry->time.median;
    }
    for (size_t i = 0; i < map->rows.count * map->columns.count; i++)
        if (map->cells[i] && map->cells[i]->rate > 0)
            map->slowest = fmax(map->slowest, map->cells[i]->time.median);
}

bool sweep_map_make(const struct ladder *ladder, size_t index, struct sweep_map *map)
{
    struct chosen chosen;
    for (size_t r = 0; r < ladder->rung_count; r++) {
        *map = (struct sweep_map){.ladder = ladder, .rung = ladder->rungs[r]->measurement->rung};
        if (!choose(ladder, r, &chosen))
            continue;
        find_axes(ladder, &chosen, map);
        if (!map->columns.count || index-- > 0)
            continue;
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        map->cells = calloc(map->rows.count * map->columns.count, sizeof *map->cells);
        if (!map->cells)
            return false;
        fill(ladder, &chosen, map);
        return true;
    }
    return false;
}

void sweep_map_free(struct sweep_map *map)
{
    free(map->cells);
    map->cells = NULL;
}

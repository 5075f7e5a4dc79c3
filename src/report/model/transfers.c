#include "report/model/transfers.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "report/model/key_values.h"

/* "to-device pinned queue" of a problem's text and a rung; a rung called as its way is named once. */
static void name_way(const struct measurement *measurement, char *name, size_t size)
{
    struct key_value words[WORDS_MAX];
    size_t count = key_values_of(measurement->problem, ',', words);
    name[0] = 0;
    for (size_t i = 0; i < count; i++)
        if (!words[i].has_number)
            text_append(name, size, "%s%.*s", *name ? " " : "", (int)words[i].name_length, words[i].name);
    if (strcmp(name, measurement->rung) != 0)
        text_append(name, size, " %s", measurement->rung);
}

/* The line of that name, a new one where there is none. Points are put in by line later. */
static size_t line_of(struct sizes *sizes, const char *name, enum measured_kind kind)
{
    for (size_t i = 0; i < sizes->line_count; i++)
        if (strcmp(sizes->lines[i].rung, name) == 0)
            return i;
    size_t added = sizes->line_count++;
    snprintf(sizes->names[added], sizeof sizes->names[added], "%s", name);
    sizes->lines[added] = (struct size_line){.rung = sizes->names[added], .kind = kind, .series = -1};
    return added;
}

static void add_points(struct sizes *sizes, const struct kernel_view *kernel, const struct ladder *device, size_t line)
{
    char name[SIZE_NAME_MAX];
    sizes->lines[line].first = sizes->point_count;
    for (size_t l = 0; l < kernel->ladder_count; l++)
        for (size_t r = 0; ladder_same_device(&kernel->ladders[l], device) && r < kernel->ladders[l].rung_count; r++) {
            const struct entry *entry = kernel->ladders[l].rungs[r];
            struct key_value words[WORDS_MAX];
            size_t count = key_values_of(entry->measurement->problem, ',', words);
            const struct key_value *bytes = key_values_find(words, count, "bytes", 5);
            name_way(entry->measurement, name, sizeof name);
            if (!(entry->rate > 0) || !bytes || !(bytes->number > 0) || strcmp(name, sizes->lines[line].rung) != 0)
                continue;
            sizes->points[sizes->point_count++] = (struct size_point){.x = bytes->number, .entry = entry};
            sizes->least = sizes->least > 0 ? fmin(sizes->least, bytes->number) : bytes->number;
            sizes->most = fmax(sizes->most, bytes->number);
            sizes->highest_rate = fmax(sizes->highest_rate, entry->rate_high);
        }
    sizes->lines[line].count = sizes->point_count - sizes->lines[line].first;
}

enum status sizes_of_copy_paths(const struct kernel_view *kernel, const struct ladder *device, struct sizes *sizes,
                                struct error *error)
{
    char name[SIZE_NAME_MAX];
    size_t most = 1;
    for (size_t l = 0; l < kernel->ladder_count; l++)
        most += kernel->ladders[l].rung_count;
    enum status status = sizes_begin(device, most, sizes, error);
    if (status != STATUS_OK)
        return status;
    sizes->of_bytes = true;
    snprintf(sizes->axis, sizeof sizes->axis, "%s", tr("bytes of one copy"));
    for (size_t l = 0; l < kernel->ladder_count; l++)
        for (size_t r = 0; ladder_same_device(&kernel->ladders[l], device) && r < kernel->ladders[l].rung_count; r++) {
            name_way(kernel->ladders[l].rungs[r]->measurement, name, sizeof name);
            if (kernel->ladders[l].rungs[r]->rate > 0)
                line_of(sizes, name, MEASURED_DEVICE);
        }
    for (size_t line = 0; line < sizes->line_count; line++)
        add_points(sizes, kernel, device, line);
    sizes_end(sizes);
    return STATUS_OK;
}

static bool read_span(const json_t *part, const char *name, double span[2])
{
    const json_t *pair = json_object_get(part, name);
    if (json_array_size(pair) != 2)
        return false;
    for (size_t i = 0; i < 2; i++)
        span[i] = json_number_value(json_array_get(pair, i));
    return span[0] >= 0 && span[1] >= span[0];
}

static bool read_part(const json_t *part, struct timeline_view *timeline)
{
    static const char *const names[] = {"in", "compute", "out"};
    struct timeline_bars *bars = &timeline->parts[timeline->count];
    json_int_t queue = json_integer_value(json_object_get(part, "queue"));
    if (queue < 0 || queue >= (json_int_t)timeline->queues)
        return false;
    bars->queue = (unsigned)queue;
    for (int phase = 0; phase < 3; phase++) {
        if (!read_span(part, names[phase], bars->spans[phase]))
            return false;
        timeline->end = fmax(timeline->end, bars->spans[phase][1]);
    }
    timeline->count++;
    return true;
}

bool timeline_read(const char *text, struct timeline_view *timeline)
{
    json_t *root = json_loads(text, 0, NULL);
    const json_t *parts = json_object_get(root, "parts");
    json_int_t queues = json_integer_value(json_object_get(root, "queues"));
    size_t count = json_array_size(parts);
    bool is_good = count > 0 && count <= TIMELINE_PARTS_MAX && queues > 0 && queues <= 64;
    *timeline = (struct timeline_view){
        .queues = is_good ? (unsigned)queues : 0,
        .by_phase = queues == 3 && json_is_true(json_object_get(root, "by_phase")),
    };
    if (is_good)
        timeline->parts = calloc(count, sizeof *timeline->parts);
    is_good = timeline->parts != NULL;
    for (size_t i = 0; is_good && i < count; i++)
        is_good = read_part(json_array_get(parts, i), timeline);
    json_decref(root);
    is_good = is_good && timeline->end > 0;
    if (!is_good)
        timeline_view_free(timeline);
    return is_good;
}

void timeline_view_free(struct timeline_view *timeline)
{
    free(timeline->parts);
    timeline->parts = NULL;
    timeline->count = 0;
}

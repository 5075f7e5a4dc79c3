#include "report/model/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "report/model/figures.h"
#include "report/model/view_ladder.h"

/* Kernels in teaching order; others follow by name. */
static size_t kernel_order(const char *name)
{
    static const char *const order[] = {"transpose", "sort", "dot", "matmul", "resize", "wave", "pipeline"};
    size_t place = 0;
    while (place < COUNT_OF(order) && strcmp(order[place], name) != 0)
        place++;
    return place;
}

static int compare_sizes(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Numbers inside texts by value: "cuda:2" before "cuda:10", "n=512" before "n=4096". */
static int compare_text(const char *a, const char *b)
{
    return strverscmp(a, b);
}

/* 0 for entries of one ladder. */
static int compare_ladders(const struct measurement *a, const struct measurement *b)
{
    int order = compare_sizes(kernel_order(a->kernel), kernel_order(b->kernel));
    order = order ? order : strcmp(a->kernel, b->kernel);
    order = order ? order : compare_text(a->device, b->device);
    order = order ? order : strcmp(a->device_name, b->device_name);
    order = order ? order : compare_sizes(a->threads, b->threads);
    order = order ? order : a->cold - b->cold;
    return order ? order : compare_text(a->problem, b->problem);
}

/* In a ladder, runs and their measurements in the order in which they were made. */
static int compare_entries(const void *left, const void *right)
{
    const struct measurement *a = ((const struct entry *)left)->measurement,
                             *b = ((const struct entry *)right)->measurement;
    int order = compare_ladders(a, b);
    order = order ? order : compare_sizes((uint64_t)a->run, (uint64_t)b->run);
    return order ? order : compare_sizes((uintptr_t)a, (uintptr_t)b);
}

static void summarise(struct entry *entry, const struct measurement *measurement)
{
    const struct figures figures = figures_of(measurement);
    *entry = (struct entry){.measurement = measurement, .time = figures.time, .end_to_end = figures.end_to_end};
    if (measurement->verdict != VERDICT_PASS || !(figures.time.median > 0))
        return;
    if (!figures.end_to_end.count && strcmp(measurement->device, "cpu") == 0)
        entry->end_to_end = figures.time;
    entry->is_void = figures.is_void;
    entry->rate = figures.rate;
    entry->rate_low = figures.rate_low;
    entry->rate_high = figures.rate_high;
}

static bool same_ladder(const struct entry *a, const struct entry *b)
{
    return compare_ladders(a->measurement, b->measurement) == 0;
}

/* Cuts the sorted entries into ladders, and the ladders into kernels. */
static void group(struct view *view)
{
    const struct entry **rungs = view->rungs;
    for (size_t i = 0; i < view->entry_count;) {
        struct ladder *ladder = &view->ladders[view->ladder_count++];
        *ladder = (struct ladder){.entries = &view->entries[i], .rungs = rungs};
        while (i < view->entry_count && same_ladder(ladder->entries, &view->entries[i])) {
            ladder->entry_count++;
            i++;
        }
        ladder_choose(ladder);
        rungs += ladder->rung_count;
        const char *name = ladder_of(ladder)->kernel;
        if (!view->kernel_count || strcmp(view->kernels[view->kernel_count - 1].name, name) != 0)
            view->kernels[view->kernel_count++] = (struct kernel_view){.name = name, .ladders = ladder};
        view->kernels[view->kernel_count - 1].ladder_count++;
    }
}

/* The ladder of the CPU for the same problem and state of the caches; NULL when there is none. */
static const struct ladder *on_cpu(const struct kernel_view *kernel, const struct ladder *ladder)
{
    const struct measurement *of = ladder_of(ladder);
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct measurement *other = ladder_of(&kernel->ladders[i]);
        if (strcmp(other->device, "cpu") == 0 && kernel->ladders[i].passed && other->cold == of->cold &&
            strcmp(other->problem, of->problem) == 0)
            return &kernel->ladders[i];
    }
    return NULL;
}

static void relate(struct view *view)
{
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct kernel_view *kernel = &view->kernels[k];
        for (size_t l = 0; l < kernel->ladder_count; l++) {
            struct ladder *ladder = &view->ladders[&kernel->ladders[l] - view->ladders];
            const struct ladder *cpu = on_cpu(kernel, ladder);
            ladder_relate(ladder, &view->entries[ladder->entries - view->entries], cpu ? cpu : ladder);
        }
    }
}

enum status view_make(const struct measurement_list *list, struct view *view, struct error *error)
{
    size_t most = list->count ? list->count : 1;
    *view = (struct view){
        .entries = calloc(most, sizeof *view->entries),
        .ladders = calloc(most, sizeof *view->ladders),
        .kernels = calloc(most, sizeof *view->kernels),
        .rungs = calloc(most, sizeof *view->rungs), // NOLINT(bugprone-sizeof-expression): pointers
    };
    if (!view->entries || !view->ladders || !view->kernels || !view->rungs) {
        view_free(view);
        return fail(error, STATUS_UNAVAILABLE, "no memory for a report of %zu measurements", list->count);
    }
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].device, "null") != 0)
            summarise(&view->entries[view->entry_count++], &list->items[i]);
    qsort(view->entries, view->entry_count, sizeof *view->entries, compare_entries);
    group(view);
    relate(view);
    return STATUS_OK;
}

void view_free(struct view *view)
{
    free(view->entries);
    free(view->ladders);
    free(view->kernels);
    free(view->rungs);
    *view = (struct view){0};
}

#include "store/matching.h"

#include <stdlib.h>
#include <string.h>

/* A measurement with where it stood: entries are sorted, so that what belongs together stands together. */
struct entry {
    const struct measurement *measurement;
    size_t place; /* in A; behind all of A for those of B */
    bool in_b;
};

/* Same problem, device and cache state. */
static int compare_scenes(const struct measurement *a, const struct measurement *b)
{
    int order = strcmp(a->problem, b->problem);
    if (order == 0)
        order = strcmp(a->device, b->device);
    return order ? order : (int)a->cold - (int)b->cold;
}

/* Limits of a scene come first. */
static int compare_rungs(const struct measurement *a, const struct measurement *b)
{
    int order = compare_scenes(a, b);
    if (order == 0)
        order = (b->kind == MEASURED_PROBE) - (a->kind == MEASURED_PROBE);
    return order ? order : strcmp(a->rung, b->rung);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_rungs(a->measurement, b->measurement);
    if (order == 0)
        order = strcmp(a->measurement->parameters, b->measurement->parameters);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static size_t enter(const struct measurement_list *list, bool in_b, size_t first, struct entry *entries)
{
    for (size_t i = 0; i < list->count; i++)
        entries[first + i] = (struct entry){.measurement = &list->items[i], .place = first + i, .in_b = in_b};
    return first + list->count;
}

/* Whether the entries of one rung, from first to end, have one set of parameters on each side. */
static bool has_one_set(const struct entry *entries, size_t first, size_t end)
{
    const char *sets[2] = {NULL, NULL};
    for (size_t i = first; i < end; i++) {
        const char *parameters = entries[i].measurement->parameters, **set = &sets[entries[i].in_b];
        if (*set && strcmp(*set, parameters) != 0)
            return false;
        *set = parameters;
    }
    return true;
}

/* Fills both sides with the entries from first to end; returns the pointers that are left over. */
static const struct measurement **fill_sides(const struct entry *entries, size_t first, size_t end,
                                             const struct measurement **pointers, struct side *a, struct side *b)
{
    for (int in_b = 0; in_b < 2; in_b++) {
        struct side *side = in_b ? b : a;
        *side = (struct side){.items = pointers};
        for (size_t i = first; i < end; i++)
            if (entries[i].in_b == in_b)
                pointers[side->count++] = entries[i].measurement;
        pointers += side->count;
    }
    return pointers;
}

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->scene != b->scene)
        return a->scene < b->scene ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static size_t end_of(const struct entry *entries, size_t first, size_t count,
                     int (*compare)(const struct measurement *, const struct measurement *))
{
    size_t end = first + 1;
    while (end < count && compare(entries[first].measurement, entries[end].measurement) == 0)
        end++;
    return end;
}

static int compare_with_parameters(const struct measurement *a, const struct measurement *b)
{
    int order = compare_rungs(a, b);
    return order ? order : strcmp(a->parameters, b->parameters);
}

static size_t first_place(const struct entry *entries, size_t first, size_t end)
{
    size_t place = entries[first].place;
    for (size_t i = first; i < end; i++)
        place = entries[i].place < place ? entries[i].place : place;
    return place;
}

/* The pairs of the scene from first to end: its probes, and then its rungs. */
static const struct measurement **pair_scene(struct matching *pairing, size_t first, size_t end,
                                             const struct measurement **pointers, size_t *probes)
{
    const struct entry *entries = pairing->entries;
    size_t first_probe = *probes, scene = first_place(entries, first, end);
    for (size_t at = first, next; at < end; at = next) {
        next = end_of(entries, at, end, compare_rungs);
        if (entries[at].measurement->kind == MEASURED_PROBE) {
            struct probe_pair *probe = &pairing->probes[(*probes)++];
            pointers = fill_sides(entries, at, next, pointers, &probe->a, &probe->b);
            continue;
        }
        if (!has_one_set(entries, at, next))
            next = end_of(entries, at, end, compare_with_parameters);
        struct pair *pair = &pairing->items[pairing->count++];
        pointers = fill_sides(entries, at, next, pointers, &pair->a, &pair->b);
        pair->scene = scene;
        pair->place = first_place(entries, at, next);
        pair->probes = &pairing->probes[first_probe];
        pair->probe_count = *probes - first_probe;
    }
    return pointers;
}

enum status matching_make(const struct measurement_list *a, const struct measurement_list *b, struct matching *pairing,
                          struct error *error)
{
    size_t count = a->count + b->count;
    *pairing = (struct matching){
        .items = calloc(count + 1, sizeof *pairing->items),
        .entries = calloc(count + 1, sizeof *pairing->entries),
        .pointers = calloc(count + 1, sizeof(const struct measurement *)),
        .probes = calloc(count + 1, sizeof *pairing->probes),
    };
    if (!pairing->items || !pairing->entries || !pairing->pointers || !pairing->probes) {
        matching_free(pairing);
        return fail(error, STATUS_UNAVAILABLE, "no memory to compare %zu measurements", count);
    }
    enter(b, true, enter(a, false, 0, pairing->entries), pairing->entries);
    qsort(pairing->entries, count, sizeof *pairing->entries, compare_entries);
    const struct measurement **pointers = pairing->pointers;
    size_t probes = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of(pairing->entries, first, count, compare_scenes);
        pointers = pair_scene(pairing, first, end, pointers, &probes);
    }
    qsort(pairing->items, pairing->count, sizeof *pairing->items, compare_pairs);
    return STATUS_OK;
}

void matching_free(struct matching *pairing)
{
    free(pairing->items);
    free(pairing->entries);
    free(pairing->pointers);
    free(pairing->probes);
    *pairing = (struct matching){0};
}

const struct measurement *side_newest(const struct side *side)
{
    return side->count ? side->items[side->count - 1] : NULL;
}

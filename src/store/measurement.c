#include "store/measurement.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "store/cores.h"

static const char *const verdict_names[] = {"PASS", "FAIL", "SKIP", "ERROR"};
static const char *const phase_names[] = {"compute", "end-to-end", "upload", "launch", "download"};
static const char *const kind_names[] = {"host", "device", "vendor", "probe"};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

const char *phase_name(enum phase phase)
{
    return phase_names[phase];
}

const char *measured_kind_name(enum measured_kind kind)
{
    return kind_names[kind];
}

/* The index of `name`, or `count`. */
static size_t index_of(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

bool verdict_from_name(const char *name, enum verdict *verdict)
{
    size_t i = index_of(name, verdict_names, COUNT_OF(verdict_names));
    if (i < COUNT_OF(verdict_names))
        *verdict = (enum verdict)i;
    return i < COUNT_OF(verdict_names);
}

bool phase_from_name(const char *name, enum phase *phase)
{
    size_t i = index_of(name, phase_names, COUNT_OF(phase_names));
    if (i < COUNT_OF(phase_names))
        *phase = (enum phase)i;
    return i < COUNT_OF(phase_names);
}

bool measured_kind_from_name(const char *name, enum measured_kind *kind)
{
    size_t i = index_of(name, kind_names, COUNT_OF(kind_names));
    if (i < COUNT_OF(kind_names))
        *kind = (enum measured_kind)i;
    return i < COUNT_OF(kind_names);
}

/* Room for one more item in a growing array: the array, moved or not; NULL when memory is out. */
static void *grown(void *items, size_t count, size_t *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    void *moved = reallocarray(items, wanted, item_bytes);
    if (moved)
        *capacity = wanted;
    return moved;
}

bool samples_add(struct samples *samples, double nanoseconds, uint32_t round)
{
    struct sample *items = grown(samples->items, samples->count, &samples->capacity, sizeof *items);
    if (!items)
        return false;
    samples->items = items;
    items[samples->count++] = (struct sample){.nanoseconds = nanoseconds, .round = round};
    return true;
}

struct measurement *measurement_list_add(struct measurement_list *list)
{
    struct measurement *items = grown(list->items, list->count, &list->capacity, sizeof *items);
    if (!items)
        return NULL;
    list->items = items;
    struct measurement *added = &items[list->count++];
    memset(added, 0, sizeof *added);
    return added;
}

void measurement_free(struct measurement *measurement)
{
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        free(measurement->phases[phase].items);
}

void measurement_list_free(struct measurement_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        measurement_free(&list->items[i]);
    free(list->items);
    *list = (struct measurement_list){0};
}

struct summary measurement_summary(const struct measurement *measurement, enum phase phase)
{
    struct summary summary = {0};
    const struct samples *samples = &measurement->phases[phase];
    double *values = samples->count ? malloc(samples->count * sizeof *values) : NULL;
    if (!values)
        return summary;
    for (size_t i = 0; i < samples->count; i++)
        values[i] = samples->items[i].nanoseconds;
    statistics_summarise(values, samples->count, &summary);
    free(values);
    return summary;
}

/* Not of two different runs: those were not interleaved. */
static bool side_by_side(const struct measurement *a, const struct measurement *b)
{
    return !a->run || !b->run || a->run == b->run;
}

bool measurement_may_limit(const struct measurement *probe, const struct measurement *of, const char *name)
{
    return probe->kind == MEASURED_PROBE && probe->verdict == VERDICT_PASS && probe->cold == of->cold &&
           strcmp(probe->problem, of->problem) == 0 && strcmp(probe->device, of->device) == 0 &&
           (!*name || strcmp(probe->rung, name) == 0);
}

/* By their numbers in the run; before they are stored, by their places in the list. */
static bool is_before(const struct measurement *a, const struct measurement *b)
{
    return a->number && b->number ? a->number < b->number : a < b;
}

bool measurement_is_closer(const struct measurement *other, const struct measurement *probe,
                           const struct measurement *of)
{
    return other != probe && other->run == probe->run && strcmp(other->rung, probe->rung) == 0 &&
           is_before(other, of) && (is_before(of, probe) || is_before(probe, other));
}

static bool has_closer(const struct measurement_list *list, const struct measurement *probe,
                       const struct measurement *of)
{
    for (size_t i = 0; i < list->count; i++)
        if (measurement_may_limit(&list->items[i], of, probe->rung) &&
            measurement_is_closer(&list->items[i], probe, of))
            return true;
    return false;
}

const struct measurement *measurement_ceiling(const struct measurement_list *list, const struct measurement *of)
{
    const struct measurement *slowest = NULL;
    double slowest_median = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *other = &list->items[i];
        if (!measurement_may_limit(other, of, of->ceiling) || !side_by_side(other, of))
            continue;
        double median = measurement_summary(other, PHASE_COMPUTE).median;
        if ((!slowest || median > slowest_median) && !has_closer(list, other, of)) {
            slowest = other;
            slowest_median = median;
        }
    }
    return slowest && cores_alike(of, slowest) ? slowest : NULL;
}

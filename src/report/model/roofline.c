#include "report/model/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html/chapters.h"
#include "store/ceiling.h"

static void add_roof(struct roofline *roofline, const char *name, double rate, bool is_arithmetic, bool is_probe)
{
    if (roofline->roof_count == ROOFS_MAX || !(rate > 0))
        return;
    struct roof *roof = &roofline->roofs[roofline->roof_count++];
    *roof = (struct roof){.rate = rate, .is_arithmetic = is_arithmetic, .is_probe = is_probe};
    snprintf(roof->name, sizeof roof->name, "%s", name);
}

/* Ceilings that a roofline omits: the read rate represents all of memory. Tensor cores are drawn for the rungs on them,
 * at the rate of whole products. */
static bool is_drawn(const char *what)
{
    enum ceiling_kind kind = ceiling_by_name(what);
    return kind != CEILING_DRAM_COPY && kind != CEILING_DRAM_TRIAD && kind != CEILING_TENSOR_BF16;
}

static bool has_roof(const struct roofline *roofline, const char *name)
{
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (strcmp(roofline->roofs[i].name, name) == 0)
            return true;
    return false;
}

/* The rate of a tensor rung's ceiling, in the problem's operations per nanosecond. */
static void add_tensor_ceiling(struct roofline *roofline, const struct entry *ceiling)
{
    unsigned products = ceiling ? tensor_products_of(ceiling->measurement->rung) : 0;
    if (products && ceiling->time.median > 0 && !has_roof(roofline, ceiling->measurement->rung))
        add_roof(roofline, ceiling->measurement->rung,
                 ceiling->measurement->operations / products / ceiling->time.median, true, true);
}

static void add_ceilings(struct roofline *roofline, const struct ceiling_list *ceilings)
{
    const struct measurement *of = ladder_of(roofline->device);
    for (size_t i = 0; ceilings && i < ceilings->count; i++) {
        const struct ceiling *ceiling = &ceilings->items[i];
        bool is_arithmetic = strcmp(ceiling->unit, "GFLOP/s") == 0, is_memory = strcmp(ceiling->unit, "GB/s") == 0;
        bool is_same = strcmp(ceiling->device, of->device) == 0 && strcmp(ceiling->device_name, of->device_name) == 0 &&
                       (!ceiling->threads || !of->threads || ceiling->threads == of->threads);
        if (is_same && (is_arithmetic || is_memory) && is_drawn(ceiling->what))
            add_roof(roofline, ceiling->what, ceiling->rate, is_arithmetic, false);
    }
}

/* The rate of a ceiling's probe beside the rungs: bytes or operations per nanosecond are GB/s or GFLOP/s. */
static double probe_rate(const struct entry *entry, bool *is_arithmetic)
{
    const struct measurement *measurement = entry->measurement;
    *is_arithmetic = strcmp(measurement->rung, "fma") == 0;
    return entry->time.median > 0 ? (*is_arithmetic ? measurement->operations : measurement->bytes) / entry->time.median
                                  : 0;
}

/* Without ceilings of a kind: the best multiply-adds; and the memory's rate with the most bytes, which no cache holds.
 */
static void add_probes(struct roofline *roofline)
{
    double arithmetic = 0, memory = 0, most_bytes = 0;
    for (size_t i = 0; i < roofline->view->ladder_count; i++) {
        const struct ladder *ladder = &roofline->view->ladders[i];
        for (size_t e = 0; ladder_same_device(ladder, roofline->device) && e < ladder->entry_count; e++) {
            const struct entry *entry = &ladder->entries[e];
            bool is_arithmetic;
            if (entry->measurement->kind != MEASURED_PROBE || !(entry->rate > 0) ||
                tensor_products_of(entry->measurement->rung))
                continue;
            double rate = probe_rate(entry, &is_arithmetic);
            if (is_arithmetic) {
                arithmetic = fmax(arithmetic, rate);
            } else if (entry->measurement->bytes > most_bytes) {
                most_bytes = entry->measurement->bytes;
                memory = rate;
            }
        }
    }
    if (!(roofline_highest(roofline, true) > 0))
        add_roof(roofline, "fma", arithmetic, true, true);
    if (!(roofline_highest(roofline, false) > 0))
        add_roof(roofline, "copy", memory, false, true);
}

static void add_points(struct roofline *roofline, size_t k)
{
    const struct kernel_view *kernel = &roofline->view->kernels[k];
    const struct ladder *device = NULL;
    for (size_t l = 0; l < kernel->ladder_count && !device; l++)
        if (ladder_same_device(&kernel->ladders[l], roofline->device))
            device = kernel_representative(kernel, &kernel->ladders[l]);
    for (size_t r = 0; device && r < device->rung_count; r++) {
        const struct entry *entry = device->rungs[r];
        const struct measurement *measurement = entry->measurement;
        if (!(entry->rate > 0) || !(measurement->operations > 0) || !(measurement->bytes > 0))
            continue;
        roofline->points[roofline->point_count++] = (struct roofline_point){
            .entry = entry,
            .kernel = k,
            .intensity = measurement->operations / measurement->bytes,
            .performance = measurement->operations / entry->time.median,
            .is_fastest = entry == device->fastest,
        };
        add_tensor_ceiling(roofline, entry->ceiling);
    }
}

enum status roofline_make(const struct view *view, const struct ladder *any, const struct ceiling_list *ceilings,
                          struct roofline *roofline, struct error *error)
{
    *roofline = (struct roofline){.view = view, .device = any};
    roofline->points = calloc(view->entry_count + 1, sizeof *roofline->points);
    if (!roofline->points)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a roofline of %zu measurements", view->entry_count);
    add_ceilings(roofline, ceilings);
    add_probes(roofline);
    for (size_t k = 0; k < view->kernel_count; k++)
        if (kernel_is_ladder(&view->kernels[k]))
            add_points(roofline, k);
    return STATUS_OK;
}

void roofline_free(struct roofline *roofline)
{
    free(roofline->points);
    *roofline = (struct roofline){0};
}

double roofline_lowest(const struct roofline *roofline, bool arithmetic)
{
    double lowest = 0;
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (roofline->roofs[i].is_arithmetic == arithmetic)
            lowest = lowest > 0 ? fmin(lowest, roofline->roofs[i].rate) : roofline->roofs[i].rate;
    return lowest;
}

double roofline_highest(const struct roofline *roofline, bool arithmetic)
{
    double highest = 0;
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (roofline->roofs[i].is_arithmetic == arithmetic)
            highest = fmax(highest, roofline->roofs[i].rate);
    return highest;
}

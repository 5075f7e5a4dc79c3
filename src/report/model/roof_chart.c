#include "report/model/roof_chart.h"

#include <math.h>
#include <string.h>

#include "report/model/figures.h"
#include "store/cores.h"

double roof_highest(const struct roof_chart *chart, enum ceiling_kind first, enum ceiling_kind last)
{
    double rate = 0;
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        enum ceiling_kind kind = ceiling_by_name(chart->ceilings[i]->rung);
        if (kind >= first && kind <= last)
            rate = fmax(rate, figures_rate(chart->ceilings[i]));
    }
    return rate;
}

double roof_at(const struct roof_chart *chart, double intensity, double arithmetic, bool *by_memory)
{
    double memory = intensity * roof_highest(chart, CEILING_DRAM_READ, CEILING_DRAM_TRIAD);
    *by_memory = memory < arithmetic;
    return fmin(arithmetic, memory);
}

static bool is_double(const struct measurement *measurement)
{
    const char *comma = strrchr(measurement->problem, ',');
    return comma && (strcmp(comma, ",f64") == 0 || strcmp(comma, ",c128") == 0);
}

double roof_level(const struct roof_chart *chart, const struct roof_mark *mark)
{
    enum ceiling_kind level = mark->tensor_products          ? CEILING_TENSOR_BF16
                              : is_double(mark->measurement) ? CEILING_FMA_F64
                                                             : CEILING_FMA_F32;
    return roof_highest(chart, level, level) / (mark->tensor_products ? mark->tensor_products : 1);
}

/* Main memory's ceilings are another machine's where the cores were elsewhere. */
static bool memory_is_alike(const struct roof_chart *chart, const struct measurement *measurement)
{
    for (size_t i = 0; i < chart->ceiling_count; i++)
        if (ceiling_by_name(chart->ceilings[i]->rung) >= CEILING_DRAM_READ &&
            !cores_alike(chart->ceilings[i], measurement))
            return false;
    return true;
}

/* The probe that moved the same bytes in the same rounds: whatever holds them, a cache or main memory. */
static const struct measurement *probe_of(const struct measurement_list *list, const struct measurement *of)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const struct measurement *other = &list->items[i];
        if (other->kind == MEASURED_PROBE && other->verdict == VERDICT_PASS && other->run == of->run &&
            other->cold == of->cold && other->threads == of->threads && strcmp(other->problem, of->problem) == 0 &&
            strcmp(other->device, of->device) == 0 &&
            (strcmp(other->rung, "copy") == 0 || strcmp(other->rung, "streams") == 0))
            return other;
    }
    return NULL;
}

/* Faster than that and it was not main memory's data: a little more is noise. */
#define ABOVE 1.05

/* The slowest roof of memory, from main memory to the L1 cache, that the rate is not above; the highest if none is.
 */
static double roof_of_data(const struct roof_chart *chart, double intensity, double rate, double arithmetic,
                           bool *by_memory)
{
    double roof = roof_at(chart, intensity, arithmetic, by_memory);
    for (int kind = CEILING_L3_READ; *by_memory && rate > ABOVE * roof && kind >= CEILING_LOCAL_READ; kind--) {
        const double cache = intensity * roof_highest(chart, (enum ceiling_kind)kind, (enum ceiling_kind)kind);
        if (cache <= roof)
            continue;
        *by_memory = cache < arithmetic;
        roof = fmin(cache, arithmetic);
    }
    return roof;
}

/* By the probe of the same bytes, or the roof of arithmetic where that is lower. The roof is 0 where it is the probe's
 * and noise voids the share. */
static double roof_beside(const struct measurement *of, const struct measurement *probe, double arithmetic,
                          bool *by_memory)
{
    const double median = measurement_summary(probe, PHASE_COMPUTE).median;
    const double memory = median > 0 ? of->operations / median : 0;
    *by_memory = !(arithmetic > 0) || memory < arithmetic;
    if (!*by_memory)
        return arithmetic;
    return figures_ratio(of, probe).value > 0 ? memory : 0;
}

bool roof_mark_make(const struct roof_chart *chart, const struct measurement_list *list,
                    const struct measurement *measurement, struct roof_mark *mark)
{
    const double median = measurement_is_void(measurement) ? 0 : measurement_summary(measurement, PHASE_COMPUTE).median;
    if (measurement->verdict != VERDICT_PASS || measurement->kind == MEASURED_PROBE || !(measurement->operations > 0) ||
        !(measurement->bytes > 0) || !(median > 0))
        return false;
    *mark = (struct roof_mark){
        .measurement = measurement,
        .intensity = measurement->operations / measurement->bytes,
        .rate = measurement->operations / median,
        .tensor_products = tensor_products_of(measurement->ceiling),
    };
    const struct measurement *probe = probe_of(list, measurement);
    if (probe) {
        mark->roof = roof_beside(measurement, probe, roof_level(chart, mark), &mark->by_memory);
        return true;
    }
    mark->roof = roof_of_data(chart, mark->intensity, mark->rate, roof_level(chart, mark), &mark->by_memory);
    if (mark->by_memory && !memory_is_alike(chart, measurement))
        mark->roof = 0;
    return true;
}

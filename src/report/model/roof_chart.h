/* A device's ceilings for each rung that does arithmetic: the marks of the terminal's roofline and of its
 * exports. */
#pragma once

#include "store/ceiling.h"
#include "store/measurement.h"

/* One rung: operations for each of the least bytes, and operations in a second. */
struct roof_mark {
    const struct measurement *measurement;
    double intensity;         /* operations per byte */
    double rate;              /* GFLOP/s */
    double roof;              /* what the ceilings allow at this intensity, GFLOP/s; 0 where memory's are of other
                                 places of the cores (store/cores.h) */
    bool by_memory;           /* … and which of them does */
    unsigned tensor_products; /* of a rung on tensor cores: the products it computes for one of the problem's
                                 (store/ceiling.h) */
};

/* One device's chart. */
struct roof_chart {
    const struct measurement *const *ceilings; /* that passed, of one device and number of threads */
    size_t ceiling_count;
    struct roof_mark *marks;
    size_t mark_count;
};

/* The best rate of the ceilings of these kinds; 0 when there is none. */
double roof_highest(const struct roof_chart *chart, enum ceiling_kind first, enum ceiling_kind last);

/* The lower of the rate `arithmetic` and of the highest ceiling of main memory at that intensity, GFLOP/s; 0 when
 * either is not known. */
double roof_at(const struct roof_chart *chart, double intensity, double arithmetic, bool *by_memory);

/* The level roof of a mark, GFLOP/s: of tensor cores, what they do for its problem. */
double roof_level(const struct roof_chart *chart, const struct roof_mark *mark);

/* The mark of a measurement; false when it did not pass, is a ceiling, does no arithmetic, or noise voids it. Its roof
 * of memory is the probe of the same bytes that was timed beside it (in `list`), as its data may fit a cache; where
 * there is none, the slowest of the ceilings of main memory and of the caches that it is not above. */
bool roof_mark_make(const struct roof_chart *chart, const struct measurement_list *list,
                    const struct measurement *measurement, struct roof_mark *mark);

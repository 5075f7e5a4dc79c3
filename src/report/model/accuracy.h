/* Speed over accuracy: what the kernel "accuracy" measured, grouped by device and size (lab/bench/accuracy.h). */
#pragma once

#include "store/accuracy.h"
#include "store/measurement.h"

struct accuracy_point {
    const struct measurement *measurement;
    struct accuracy errors;
    double rate;    /* in the measurement's unit; 0: noise voids it */
    char input[32]; /* "wide" */
};

/* One device and one size: points of every rung on every kind of inputs, as they were measured. */
struct accuracy_chart {
    char size[256]; /* the problem's canonical text without its inputs */
    struct accuracy_point *points;
    size_t count;
    const char **inputs; /* the kinds of inputs, as they were met */
    size_t input_count;
    const char **rungs;
    size_t rung_count;
};

struct accuracy_charts {
    struct accuracy_chart *items;
    size_t count;
};

/* Where a measurement's errors are found. */
typedef bool accuracy_of(const void *context, const struct measurement *measurement, struct accuracy *accuracy);

/* Charts of all measurements of the list that passed and have errors; the newest where one was repeated. The list must
 * outlive them. False when memory is out. Free with accuracy_charts_free, after a failure, too. */
bool accuracy_charts_make(const struct measurement_list *list, accuracy_of *errors, const void *context,
                          struct accuracy_charts *charts);
void accuracy_charts_free(struct accuracy_charts *charts);

/* NULL when it was not measured. */
const struct accuracy_point *accuracy_find(const struct accuracy_chart *chart, const char *rung, const char *input);

/* Of one rung over all kinds of inputs: the least and the largest relative error among the finite ones, the median
 * rate, and how many answers were not finite. */
struct accuracy_range {
    double low, high, rate;
    size_t finite, infinite;
};
struct accuracy_range accuracy_range_of(const struct accuracy_chart *chart, const char *rung);

/* Figures that somebody else's program was measured with, on an H200; never mixed with ours. */
struct cited_accuracy {
    const char *name, *source, *device;
    double size;      /* m = n = k */
    double rate;      /* TFLOP/s */
    double low, high; /* relative error */
};

/* Those of the chart's size and device, one after another; NULL at the end. Begin with NULL. */
const struct cited_accuracy *accuracy_cited(const struct accuracy_chart *chart, const struct cited_accuracy *last);

/* Which figures noise voids: a median whose samples say too little of it is not shown as a rate, not compared, and
 * never recommended. These decisions hold for every table, chart, file and choice. */
#ifndef USKOR_STORE_NOISE_H
#define USKOR_STORE_NOISE_H

#include "store/measurement.h"

/* A median is void where its 95 % confidence interval ends at more than so many times its beginning, or the third
 * quartile of the samples is more than so many times the first: a machine of two states that were about as frequent, or
 * one that others use. Of fewer samples than such an interval needs, the quartiles replace it. */
#define NOISE_INTERVAL 2.0
#define NOISE_SPREAD 4.0
/* A ratio is void where one of its medians is, or its own interval reaches over more than so many times. */
#define NOISE_RATIO 1.6

/* Is the median of these samples void? False without samples. */
bool summary_is_void(const struct summary *summary);

/* Is the figure of a measurement (of the compute phase) void? */
bool measurement_is_void(const struct measurement *measurement);

/* A share or speed-up: `value` as measurement_ratio gives it; `is_void`: there are samples, but noise voids it. */
struct measured_ratio {
    double value;
    bool is_void;
};
struct measured_ratio measurement_compare(const struct measurement *a, const struct measurement *b);

#endif

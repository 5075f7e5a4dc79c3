/* Statistics over samples of one quantity. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct summary {
    size_t count;
    double minimum, quartile1, median, quartile3, maximum;
    double mean, deviation; /* deviation: the sample standard deviation (n - 1); NaN for one sample */
    double low, high;       /* 95 % confidence interval of the median, from order statistics (binomial);
                               minimum and maximum when there are too few samples for it */
};

/* Summarises `count` samples (not changed, any order); every field 0 when count is 0.
 * Quartiles by linear interpolation between order statistics (R's type 7). Returns false when memory is out. */
bool statistics_summarise(const double *samples, size_t count, struct summary *summary);

/* For qsort: doubles, ascending. */
int statistics_compare(const void *left, const void *right);

/* The median alone; 0 when count is 0 or memory is out. */
double statistics_median(const double *samples, size_t count);

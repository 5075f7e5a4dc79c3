/* When noise voids a figure: its samples determine the median too poorly. A void figure is not shown as a rate, not
 * compared, and never recommended; this holds for every table, chart, file and choice. */
#pragma once

#include "store/measurement.h"

/* A median is void where the ends of its 95 % confidence interval differ by more than this factor, or the quartiles of
 * the samples by more than that one: a machine with two states about equally frequent, or one that other programs use.
 * With fewer samples than such an interval needs, the quartiles replace it. */
#define NOISE_INTERVAL 2.0
#define NOISE_SPREAD 4.0
/* A ratio is void where one of its medians is, or the ends of its own interval differ by more than this factor. */
#define NOISE_RATIO 1.6

/* Is the median of these samples void? False without samples. */
bool summary_is_void(const struct summary *summary);

/* The median; 0 where noise voids it. */
double summary_figure(const struct summary *summary);

/* Is the figure of a measurement (of the compute phase) void? */
bool measurement_is_void(const struct measurement *measurement);

/* Did other programs, a CPU quota or OpenMP's binding disturb it? Its warning begins with "noisy: " then. */
bool measurement_is_disturbed(const struct measurement *measurement);

/* A share or speed-up: `value` as measurement_ratio gives it; `is_void`: there are samples, but noise voids it. */
struct measured_ratio {
    double value;
    bool is_void;
};
struct measured_ratio measurement_compare(const struct measurement *a, const struct measurement *b);

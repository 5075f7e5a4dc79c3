/* Numbers as a report shows them, in the language chosen: three significant digits, the unit after a space that does
 * not break. */
#pragma once

#include <stddef.h>

struct figure {
    char text[64];
};

/* Decimals of a number with three significant digits; at most `most`. */
int figure_decimals(double value, int most);

/* "44.9"; an em dash for what is not above zero (not measured). */
struct figure figure_number(double value);
/* "44.9 GB/s", "41.8 TFLOP/s" of 41800 GFLOP/s */
struct figure figure_rate(double value, const char *unit);
#define FIGURE_UNIT_BYTES 48
/* The unit whose prefix suits the value, as people read it; `value` is scaled, `scaled` holds the unit's name. */
const char *figure_scale(double *value, const char *unit, char scaled[FIGURE_UNIT_BYTES]);
/* "89.4 %" of 0.894 */
struct figure figure_percent(double fraction);
/* "39.6×" */
struct figure figure_times(double ratio);
/* "12.3 µs", "1.5 GiB" */
struct figure figure_duration(double nanoseconds);
struct figure figure_bytes(double bytes);
/* "16 384", thousands set apart */
struct figure figure_count(size_t count);
/* "39.6 ± 0.4", the error's two digits say how many the value has */
struct figure figure_with_error(double value, double error);
/* "2026-11-21 14:03 UTC" of seconds since 1970 */
struct figure figure_moment(long long seconds);

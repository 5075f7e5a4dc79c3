/* The roofline in characters: rate over arithmetic intensity, both logarithmic, with a device's ceilings as lines and
 * what was measured as letters. */
#ifndef USKOR_REPORT_TERMINAL_ROOFLINE_H
#define USKOR_REPORT_TERMINAL_ROOFLINE_H

#include "report/terminal/report.h"
#include "store/ceiling.h"

/* One rung: operations for each of the least bytes, and operations in a second. */
struct roof_mark {
    const struct measurement *measurement;
    double intensity;         /* operations per byte */
    double rate;              /* GFLOP/s */
    double roof;              /* what the ceilings allow at this intensity, GFLOP/s; 0 where memory's are of other
                                 places of the cores (store/cores.h) */
    bool by_memory;           /* … and which of them does */
    unsigned tensor_products; /* of a rung on tensor cores: they stand for one of the problem's (store/ceiling.h) */
};

/* One device's chart. */
struct roof_chart {
    const struct measurement *const *ceilings; /* that passed, of one device and number of threads */
    size_t ceiling_count;
    struct roof_mark *marks;
    size_t mark_count;
};

/* The lower of the rate `arithmetic` and of the highest ceiling of main memory at that intensity, GFLOP/s; 0 when
 * either is not known. */
double roof_at(const struct roof_chart *chart, double intensity, double arithmetic, bool *by_memory);

/* The mark of a measurement; false when it did not pass, is a ceiling, does no arithmetic, or noise voids it. Its roof
 * of memory is the probe of the same bytes that was timed beside it (in `list`), as its data may fit a cache; where
 * there is none, the slowest of the ceilings of main memory and of the caches that it is not above. */
bool roof_mark_make(const struct roof_chart *chart, const struct measurement_list *list,
                    const struct measurement *measurement, struct roof_mark *mark);

void report_roofline(FILE *stream, const struct roof_chart *chart, struct style style);

/* {"ceilings": […], "points": […]} for each chart; a row per point. False when the stream could not be written. */
bool report_roofline_json(FILE *stream, const struct roof_chart *charts, size_t count);
bool report_roofline_csv(FILE *stream, const struct roof_chart *charts, size_t count);

#endif

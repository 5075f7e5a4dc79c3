/* A comparison of two sets of measurements, as people and programs read it. */
#pragma once

#include "report/terminal/report.h"
#include "store/comparison.h"

/* One table per problem and device, then the method. */
void report_comparison(FILE *out, const struct run_comparison *comparison, const struct comparison_options *options,
                       struct style style);

/* False when the stream could not be written. */
bool report_comparison_json(FILE *stream, const struct run_comparison *comparison,
                            const struct comparison_options *options);
bool report_comparison_csv(FILE *stream, const struct run_comparison *comparison);

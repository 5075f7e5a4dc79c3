/* Methods over ranks, as lines over the number of ranks: strong scaling (one problem) and weak (one for each rank). */
#pragma once

#include "report/model/sizes.h"

/* The name of measurements over ranks in place of a kernel's. */
#define SCALING_KERNEL "ranks"

/* The number of ranks of a measurement; 0 when it is not over ranks. */
unsigned scaling_ranks(const struct measurement *measurement);
bool scaling_is_weak(const struct measurement *measurement);

/* The newest measurement of each method and number of ranks; sizes_free ends it. line_count is 0 when there are fewer
 * than two numbers of ranks. STATUS_UNAVAILABLE: no memory. */
enum status scaling_make(const struct ladder *ladder, bool is_weak, struct sizes *sizes, struct error *error);

/* The same method on one rank; NULL when it was not measured. */
const struct entry *scaling_alone(const struct sizes *sizes, const struct size_line *line);

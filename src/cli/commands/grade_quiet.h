/* uskor grade: a speed is graded on a quiet machine only. Other programs slow a rung of many threads more than a serial
 * file, so that the same file would have another grade. */
#pragma once

#include <stdint.h>

/* Returns once other programs have left the cores alone for half a second, after Ctrl-C, or when the patience (ns) is
 * spent. What it waited is taken from the patience. */
void grade_wait_for_quiet(int64_t *patience);

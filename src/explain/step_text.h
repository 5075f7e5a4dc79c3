/* The parts of a step's line (explain.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* By more than 5 % of the larger one. */
bool step_differs(double a, double b);

/* Before a part that is not the first. */
void step_separate(char *text, size_t size);

/* Each adds one part, separated from those before it, and nothing where the figures do not differ. `what` is a format
 * with two %s, for the figures before and after; `fewer` and `more` have one %s, for the ratio, which is above 1. */
void step_add_change(char *text, size_t size, const char *what, double before, double after);
void step_add_ratio(char *text, size_t size, const char *fewer, const char *more, double before, double after);

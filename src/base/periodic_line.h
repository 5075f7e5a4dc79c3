/* The line about the work under way, which a thread beside it writes from time to time: one for the process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PERIODIC_LINE_CONTEXT 512 /* bytes */

/* Makes the line in `text` from what periodic_line_set was given; `now` and `begun` are clock_now(). */
typedef void periodic_line_maker(const void *context, double now, double begun, char *text, size_t size);

/* From now on the line is made by `make` from this copy of `context`, of at most PERIODIC_LINE_CONTEXT bytes. The work
 * begins with the first call after periodic_line_end. */
void periodic_line_set(periodic_line_maker *make, const void *context, size_t bytes, double now);

/* Makes the line when work is under way and `seconds` have passed since the last one, or since the first work began.
 * False: it is not due. Any thread may call it. */
bool periodic_line_due(double now, double seconds, char *text, size_t size);

/* The work is at its end. */
void periodic_line_end(void);

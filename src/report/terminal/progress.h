/* The progress bar: of one piece of work, or of a whole run that is made of steps, with an estimate of what is left. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A run in steps goes through them twice: first `is_counting`, when progress_step only adds up what they will take, and
 * then for good. All zero: the work is one piece, and begins when it is first shown. */
struct progress {
    bool is_counting;
    double total;       /* seconds that all steps are estimated to take; 0: the work is one piece */
    double done, share; /* … that those before the present step take, and it */
    const char *name;   /* of the present step; may be NULL */
    double started;     /* clock_now() when the first step began */
    double shown;       /* the fraction that was shown last: a smaller one begins another piece */
    double told;        /* clock_now() when it was shown last */
};

#define PROGRESS_LINE_SECONDS 20

/* Enters a step of this many estimated seconds. True: do it now. False: it was only counted. */
bool progress_step(struct progress *progress, const char *name, double seconds);

/* The whole run's fraction when `fraction` of the present step is done. */
double progress_fraction(const struct progress *progress, double fraction);

/* "█████░░░░░  47 %  about 3 min left  sort: radix", cut to `width` columns; returns `text`. The time left is shown
 * once some seconds have passed. `now` is clock_now(). */
const char *progress_line(const struct progress *progress, const char *what, double fraction, double now, int width,
                          char *text, size_t size);

/* Shows it on standard error: on a terminal at once, elsewhere as a line of its own every PROGRESS_LINE_SECONDS.
 * `context` is a struct progress. */
void progress_show(void *context, const char *what, double fraction);

/* Takes the bar away. */
void progress_end(void);

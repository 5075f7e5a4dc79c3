/* The progress bar: of one piece of work, or of a whole run that is made of steps, with an estimate of what is left. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run in steps goes through them twice: first `is_counting`, when progress_step only adds up what they will take, and
 * then for good. All zero: the work is one piece, and begins when it is first shown. */
struct progress {
    bool is_counting;
    double total;       /* seconds that all steps are estimated to take; 0: the work is one piece */
    double done, share; /* … that those before the present step take, and it */
    const char *name;   /* of the present step; may be NULL */
    double started;     /* clock_now() when the first step began */
    double shown;       /* the fraction that was shown last: a smaller one begins another piece */
};

/* Seconds between two lines where there is no terminal; USKOR_PROGRESS_SECONDS, where that is set. */
#define PROGRESS_LINE_SECONDS 20
double progress_line_seconds(void);

/* The program is at work from now on, and how much there is to do is not known yet. */
void progress_begin(void);

/* Enters a step of this many estimated seconds. True: do it now. False: it was only counted. */
bool progress_step(struct progress *progress, const char *name, double seconds);

/* The whole run's fraction when `fraction` of the present step is done. */
double progress_fraction(const struct progress *progress, double fraction);

/* "█████░░░░░  47 %  about 3 min left  sort: radix", cut to `width` columns; returns `text`. The time left is shown
 * once some seconds have passed. `now` is clock_now(). */
const char *progress_line(const struct progress *progress, const char *what, double fraction, double now, int width,
                          char *text, size_t size);

/* Shows it on standard error: on a terminal at once, elsewhere as a line of its own every progress_line_seconds.
 * `context` is a struct progress. */
void progress_show(void *context, const char *what, double fraction);

/* To be called about every second by another thread: where there is no terminal, and the work has not been shown for
 * progress_line_seconds as one run takes that long, writes the last line again. `now` is clock_now(). */
void progress_tick(int64_t now);

/* The line that progress_tick would write at `now`; false: none. */
bool progress_due(double now, char *text, size_t size);

/* Takes the bar away; the work is at its end, or its results are about to be printed. */
void progress_end(void);

/* Faster than the hardware is a mistake somewhere, not a record; a figure that noise made is neither. */
#ifndef USKOR_LAB_CEILINGS_TOO_FAST_H
#define USKOR_LAB_CEILINGS_TOO_FAST_H

#include "store/measurement.h"

/* A ceiling is the best of a few strategies, and the true one may be so much higher. */
#define TOO_FAST_MARGIN 1.10
/* The median of the rung against the probe's very best sample. */
#define TOO_FAST_BEST 1.05
/* The most that a probe's call costs before it moves the first byte; tiny problems are not judged by a ceiling. */
#define TOO_FAST_CALL_NS 500
/* Fewer common rounds allow no judgement. */
#define TOO_FAST_ROUNDS 8
/* The odds, at most, that a rung which is as fast as its ceiling is called too fast. */
#define TOO_FAST_ODDS 0.001

/* Does the rung beat the ceiling beyond doubt? `passes`: how many of the probe's passes the rung may do in one (1 where
 * it does not fuse). Both of these must hold:
 *
 * - in so many of the rounds that both were timed in is the rung faster, by more than the margin, than the fastest
 *   sample of the probe, that fair tosses of a coin come out like that with odds of less than TOO_FAST_ODDS (a sign
 *   test: it asks nothing of how times are distributed, and two states of a machine are in the rounds of both);
 * - the rung's median is below the best that the probe ever did, by TOO_FAST_BEST: a disturbed probe has one sample, at
 *   least, that was left alone.
 */
bool too_fast(const struct samples *rung, const struct samples *ceiling, double passes);

/* Worth a closer look: the rung's median is below the probe's best sample. */
bool maybe_too_fast(const struct samples *rung, const struct samples *ceiling, double passes);

#endif

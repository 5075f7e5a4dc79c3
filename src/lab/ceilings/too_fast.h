/* Whether a rung is faster than the hardware allows. Such a figure is an error, not a record; but noise must not make
 * an error. */
#pragma once

#include "store/measurement.h"

/* The ceiling is the best of a few strategies; the true one may be higher by this factor. */
#define TOO_FAST_MARGIN 1.10
/* The rung's median, against the probe's best sample. */
#define TOO_FAST_BEST 1.05
/* The most that a probe's call costs before the first byte, ns. Tiny problems are not judged by a ceiling. */
#define TOO_FAST_CALL_NS 500
/* With fewer common rounds there is no verdict. */
#define TOO_FAST_ROUNDS 8
/* The probability, at most, that a rung as fast as its ceiling is called too fast. */
#define TOO_FAST_ODDS 0.001

/* Whether the rung beats the ceiling beyond doubt. `passes`: the number of the probe's passes that the rung may fuse
 * into one (1 without fusion). Both of these must hold:
 *
 * - A sign test over the common rounds. A round counts when the rung is faster, by more than the margin, than the
 *   probe's fastest sample of that round. So many rounds must count that a fair coin would do the same with a
 *   probability below TOO_FAST_ODDS. The test assumes no distribution of times, and both states of a machine are in the
 *   rounds of both.
 * - The rung's median is below the probe's best sample by TOO_FAST_BEST. Even a disturbed probe has at least one
 *   undisturbed sample. */
bool too_fast(const struct samples *rung, const struct samples *ceiling, double passes);

/* Whether a closer look is due: the rung's median is below the probe's best sample. */
bool maybe_too_fast(const struct samples *rung, const struct samples *ceiling, double passes);

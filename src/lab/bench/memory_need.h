/* The host memory needed to verify or time a problem, before anything is allocated for it. */
#pragma once

#include "lab/bench/candidate.h"

/* Checks that the problem's arrays fit the available host memory (base/memory.h). Counted are the inputs as filled, the
 * outputs as read back, a reference result, `copies` more sets (pinned ones); and for each candidate's device that
 * works in host memory one more set, a ceiling's probe, and the largest scratch memory of its rungs. All sizes are
 * those of whole batches. A device's own memory is checked at allocation.
 *
 * Returns: STATUS_INVALID when they do not fit; the message has both sizes. */
enum status memory_need_check(const struct problem *problem, const struct candidate *candidates, size_t count,
                              unsigned copies, struct error *error);

/* The same for one device. */
enum status memory_need_check_on(const struct problem *problem, struct device *device, struct error *error);

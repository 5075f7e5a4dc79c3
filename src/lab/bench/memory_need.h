/* The host memory needed to verify or time a problem, before anything is allocated for it. */
#ifndef USKOR_LAB_BENCH_MEMORY_NEED_H
#define USKOR_LAB_BENCH_MEMORY_NEED_H

#include "lab/bench/candidate.h"

/* STATUS_INVALID, in one line with both sizes, when the problem's arrays do not fit what is available (base/memory.h):
 * as they are filled and as they are read back, once more for each of the candidates' devices that works in the host's
 * memory, and an answer to compare with; and `copies` more of them all (pinned ones). A device's own memory is held
 * against what it has when it is allocated. */
enum status memory_need_check(const struct problem *problem, const struct candidate *candidates, size_t count,
                              unsigned copies, struct error *error);

/* The same for one device. */
enum status memory_need_check_on(const struct problem *problem, struct device *device, struct error *error);

#endif

/* How a check varies a rung beyond its defaults: its tunables and the number of threads. */
#ifndef USKOR_LAB_VERIFICATION_CHECK_SAMPLES_H
#define USKOR_LAB_VERIFICATION_CHECK_SAMPLES_H

#include "lab/bench/candidate.h"

/* Values for the rung's tunables other than its defaults, combination `index` of the stream of `seed`, with what the
 * user has `set` (may be NULL) kept. Drawn again where the rung refuses a combination for this problem and device,
 * which is not a failure. False: no other combination was found. */
bool check_sample(const struct rung *rung, const struct problem *problem, const struct device *device,
                  const struct overrides *set, uint32_t seed, size_t index, struct overrides *sample);

/* The numbers of threads that CPU rungs are tried with besides the default: one, two, and more than divide most sizes,
 * or than many a machine has cores. */
#define CHECK_THREAD_COUNTS 3
extern const int check_thread_counts[CHECK_THREAD_COUNTS];

#endif

/* The variations of a rung that a check tries beyond its defaults: tunables and numbers of threads. */
#pragma once

#include "lab/bench/candidate.h"

/* Draws values for the rung's tunables that differ from its defaults: combination `index` of the stream of `seed`.
 * Those that the user has `set` (may be NULL) stay. A combination that the rung refuses for this problem and device is
 * drawn again; that is not a failure. Returns false when no other combination was found. */
bool check_sample(const struct rung *rung, const struct problem *problem, const struct device *device,
                  const struct overrides *set, uint32_t seed, size_t index, struct overrides *sample);

/* The numbers of threads that CPU rungs are tried with besides the default. The first ones matter most: one, two, and a
 * number that divides few sizes and exceeds many machines' cores. */
#define CHECK_THREAD_COUNTS 8
extern const int check_thread_counts[CHECK_THREAD_COUNTS];

/* Whether problem `index` of a list is tried with count `which`: one count after the other, or, with `several`, the
 * first three and one of the others in turn. */
bool check_threads_meet(size_t index, size_t which, bool several);

/* Settings of the tunables for a device, which compiles each anew. The first four combine the ends of their values: the
 * smallest group and the largest one are among them. Then come as few as give every tunable each of its values once;
 * `seed` says which of these meet. */
size_t check_setting_count(const struct rung *rung);

/* The setting `which`, 0 … check_setting_count - 1, as check_sample; another one drawn at random where the rung refuses
 * it. */
bool check_setting(const struct rung *rung, const struct problem *problem, const struct device *device,
                   const struct overrides *set, uint32_t seed, size_t which, struct overrides *sample);

/* Whether the rung runs this problem with these values of its tunables. */
bool check_sample_serves(const struct rung *rung, const struct problem *problem, const struct device *device,
                         const struct overrides *sample);

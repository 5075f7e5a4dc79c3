/* The expected times of a kernel's rungs for a problem, from the measured problems that are nearest to it. */
#pragma once

#include "choice/tuned.h"

enum tuned_lines { LINES_ALL, LINES_SHIPPED };

struct prediction {
    const struct rung *rung;
    double cost;                    /* expected time over the fastest rung's, about: what predictions are ordered by */
    double nanoseconds;             /* of one run; an estimate from `from` by the problems' work */
    const struct tuned_entry *from; /* the nearest measured problem with this rung */
    const char *tunables;           /* with which it was measured there, if that is near enough; "": the defaults */
};

/* Predicts every rung of `rungs` that was measured on the device's kind, the fastest first; returns how many. The
 * measured problems of this very device and number of threads (0: not on the cpu) come first, then those of other
 * devices of the kind. CUDA's times serve OpenCL on the same GPU, too, a little farther away; OpenCL's serve CUDA where
 * it has none. Among them the nearest ones decide, each time scaled by what the rung's time grows with (expected.h):
 * their sizes, types and options are alike, and rows are whole words of 8 bytes in both or in neither. Without memory:
 * none. */
size_t predict(const struct problem *problem, const struct device *device, int threads, const struct rung *const *rungs,
               size_t count, enum tuned_lines lines, struct prediction *predictions);

/* Whether the user's own measurements near the problem, on this very device, show that `faster` is faster there than
 * `slower`, by more than two measurements of one rung differ. */
bool predict_is_borne_out(const struct problem *problem, const struct device *device, int threads,
                          const struct rung *faster, const struct rung *slower);

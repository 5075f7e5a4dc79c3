/* Which calls run here, and which are passed on. Without measurements of this machine: products whose sides are at most
 * 64, and nothing else. With lines of the tuned files (choice/tuned.h) that have the times of our rungs and of openblas
 * on this very machine, of problems about as large: where ours is faster. */
#ifndef USKOR_BLAS_CHOICE_H
#define USKOR_BLAS_CHOICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "blas/names.h"

/* A call with a longer side is passed on, whatever else it is. UINT64_MAX: all calls are looked at. */
extern _Atomic uint64_t blas_limits[REAL_COUNT][ROUTINE_COUNT];

/* Reads the settings and the tuned files, once. */
void blas_begin(void);

/* Products of m·n·k; for dot 1·1·n, for a copy rows·cols·1. Sizes are not negative. */
bool blas_is_ours(enum blas_real real, enum blas_routine routine, int64_t m, int64_t n, int64_t k);

#endif

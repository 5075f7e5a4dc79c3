/* Which calls run here, and which are passed on.
 *
 * Without measurements of this machine: products whose sides are at most 64, and nothing else. With AVX-512, of these
 * only A·B' by rows: OpenBLAS has kernels of its own for small products there, which are as fast (docs/blas.md). With
 * lines of the tuned files (choice/tuned.h) that have the times of our rungs and of openblas on this very machine, of
 * problems about as large: where ours is faster. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "blas/names.h"

/* A call with a longer side is passed on, whatever else it is. UINT64_MAX: all calls are looked at. */
extern _Atomic uint64_t blas_limits[REAL_COUNT][ROUTINE_COUNT];

/* A syrk is computed here up to this side: what is faster than OpenBLAS, measured on a Zen 4. */
#define BLAS_SYRK_SIDE 6

/* Reads the settings and the tuned files, once. */
void blas_begin(void);

/* The longest side of a small product. */
#define BLAS_SMALL 64

/* How a product by rows is transposed: 2 for A, 1 for B. */
#define BLAS_FORMS 4

/* Products with all sides up to 64 that nobody wants a report of: all computed here, all passed on, or a further look.
 */
enum small_way { SMALL_LOOK, SMALL_HERE, SMALL_BENEATH };
extern atomic_int blas_small_ways[REAL_COUNT][BLAS_FORMS];

/* Products of m·n·k, in a form; for dot 1·1·n, for a copy rows·cols·1, in form 0. Sizes are not negative. */
bool blas_is_ours(enum blas_real real, enum blas_routine routine, int form, int64_t m, int64_t n, int64_t k);

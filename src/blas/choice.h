/* Which calls run here, and which are passed on.
 *
 * Without measurements of this machine: products whose sides are at most 64, and nothing else. Over OpenBLAS's own
 * kernels for small products with AVX-512, and with AVX2 at some narrow ones, the form and the sides decide
 * (docs/blas.md). With lines of the tuned files (choice/tuned.h) that have the times of our rungs and of openblas on
 * this very machine, of problems about as large: where ours is faster. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "blas/names.h"

#pragma GCC visibility push(hidden) /* addresses without a load */

/* A call with a longer side is passed on, whatever else it is. UINT64_MAX: all calls are looked at. */
extern _Atomic uint64_t blas_limits[REAL_COUNT][ROUTINE_COUNT];

/* A syrk is computed here up to this side: what is faster than OpenBLAS, measured on a Zen 4. */
#define BLAS_SYRK_SIDE 6

/* Reads the settings and the tuned files, once. */
void blas_begin(void);

/* The longest side of a small product. */
#define BLAS_SMALL 64

/* Dot products up to this length count as short: passing longer ones on costs less than a thirtieth of their time. */
#define BLAS_SHORT_DOT 2048

/* The same for the elements of gemv's matrix. */
#define BLAS_SHORT_GEMV 8192

/* The same where each line makes one of y (1) or not (0), by the length of lines below 16; 0: of others. */
extern _Atomic uint16_t blas_gemv_most[REAL_COUNT][2][16];

/* How a product by rows is transposed: 2 for A, 1 for B. */
#define BLAS_FORMS 4

/* Bits of blas_small: small products need no further look, as nobody wants a report; short dot products and gemv are
 * computed here. */
#define BLAS_READY 1u
#define BLAS_SHORT 2u
extern atomic_uint blas_small;

/* What a product does with C. */
enum blas_update { UPDATE_WRITES, UPDATE_ADDS, UPDATE_COUNT }; /* beta is 0, or not */

static inline enum blas_update blas_update_of(double beta)
{
    return beta == 0 ? UPDATE_WRITES : UPDATE_ADDS;
}

/* How a call's matrices lie: 4 by columns, 2 and 1 where A and B are transposed. */
#define BLAS_TURNS 8

/* The ways of a product: ours, by its turns; passed on; WAY_BEYOND: a side is longer than those of small ones, or 0. */
enum blas_way { WAY_BENEATH = BLAS_TURNS, WAY_BEYOND, WAY_COUNT };

/* A side's class is the exponent of the next power of two, or 7. The ways of products by type, turns and classes of m,
 * n, k, whose last one changes fastest. */
#define BLAS_CLASSES 8
extern _Atomic uint8_t blas_ways[REAL_COUNT][BLAS_TURNS * BLAS_CLASSES * BLAS_CLASSES * BLAS_CLASSES];

struct packed_product;
/* Computes a small product, [1] one with a side of 1; set before blas_small. */
extern void (*blas_direct[REAL_COUNT][2])(struct packed_product *);

/* What each side adds to the place of a way as m, n and k: counting bits takes longer. */
#define BLAS_CLASSED 128
extern const uint32_t blas_class[3][BLAS_CLASSED];

#pragma GCC visibility pop

/* Products of m·n·k, in a form; for dot 1·1·n, for a copy rows·cols·1, in form 0, and beta 0. Sizes are not negative.
 */
bool blas_is_ours(enum blas_real real, enum blas_routine routine, int form, int64_t m, int64_t n, int64_t k,
                  double beta);

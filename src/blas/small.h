/* Small products, in the caller's own function: such a call has some 10 ns, and constants as slot, order and flags. */
#pragma once

#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "kernels/matmul/packed.h"

static inline struct packed_view blas_small_view(const void *data, int64_t pitch, enum blas_flag turned)
{
    return (struct packed_view){data, turned == FLAG_YES ? 1 : (size_t)pitch, turned == FLAG_YES ? (size_t)pitch : 1};
}

enum small_way { SMALL_LOOK, SMALL_DONE, SMALL_PASS_ON };

/* By rows. Wrong arguments, and families without a library beneath or refused, are blas_gemm's to look at. */
static inline __attribute__((always_inline)) enum small_way
blas_small_by_rows(size_t slot, enum blas_flag ta, enum blas_flag tb, int64_t m, int64_t n, int64_t k, double alpha,
                   const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c, int64_t ldc)
{
    const unsigned small = atomic_load_explicit(&blas_small, memory_order_acquire);
    if ((ta | tb) < 0 || !(small & BLAS_READY) || !blas_is_small(m, n, k) || !blas_next(slot))
        return SMALL_LOOK;
    if (!blas_is_small_ours(small, blas_real(slot), ta * 2 + tb, m, n, k, alpha, beta))
        return SMALL_PASS_ON;
    if (lda < (ta ? m : k) || ldb < (tb ? k : n) || ldc < n || alpha == 0 || blas_is_refused(blas_family(slot)))
        return SMALL_LOOK;
    blas_direct[blas_real(slot)](&(const struct packed_product){
        .m = (size_t)m,
        .n = (size_t)n,
        .k = (size_t)k,
        .a = blas_small_view(a, lda, ta),
        .b = blas_small_view(b, ldb, tb),
        .alpha = alpha,
        .beta = beta,
        .c = c,
        .ldc = (size_t)ldc,
    });
    return SMALL_DONE;
}

static inline __attribute__((always_inline)) enum small_way blas_small_product(const struct blas_gemm *p)
{
    if (p->order == ORDER_ROWS)
        return blas_small_by_rows(p->slot, p->transa, p->transb, p->m, p->n, p->k, p->alpha, p->a, p->lda, p->b, p->ldb,
                                  p->beta, p->c, p->ldc);
    if (p->order != ORDER_COLUMNS)
        return SMALL_LOOK;
    return blas_small_by_rows(p->slot, p->transb, p->transa, p->n, p->m, p->k, p->alpha, p->b, p->ldb, p->a, p->lda,
                              p->beta, p->c, p->ldc);
}

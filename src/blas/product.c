/* A product on this library's own code: small ones directly, others through a context. */

#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/contexts.h"
#include "kernels/matmul/packed.h"

/* The product as the library has it, by rows: the transpose of one by columns, whose factors change places. */
struct by_rows {
    bool transa, transb;
    size_t m, n, k, lda, ldb, ldc;
    const void *a, *b;
};

static struct by_rows by_rows(const struct blas_gemm *c)
{
    if (c->order == ORDER_ROWS)
        return (struct by_rows){c->transa,      c->transb,      (size_t)c->m,   (size_t)c->n, (size_t)c->k,
                                (size_t)c->lda, (size_t)c->ldb, (size_t)c->ldc, c->a,         c->b};
    return (struct by_rows){c->transb,      c->transa,      (size_t)c->n,   (size_t)c->m, (size_t)c->k,
                            (size_t)c->ldb, (size_t)c->lda, (size_t)c->ldc, c->b,         c->a};
}

/* With alpha = 0 A and B are not read. */
static struct packed_product small_product(const struct blas_gemm *c)
{
    const struct by_rows r = by_rows(c);
    const bool is_scaled = c->alpha == 0 || r.k == 0;
    return (struct packed_product){
        .m = r.m,
        .n = r.n,
        .k = is_scaled ? 0 : r.k,
        .a = {r.a, r.transa ? 1 : r.lda, r.transa ? r.lda : 1},
        .b = {r.b, r.transb ? 1 : r.ldb, r.transb ? r.ldb : 1},
        .alpha = is_scaled ? 0 : c->alpha,
        .beta = c->beta,
        .c = c->c,
        .ldc = r.ldc,
    };
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* In pieces, which takes neither memory nor a context. */
static void in_pieces(const struct packed_level *level, const struct packed_product *p)
{
    const char *a = p->a.data, *b = p->b.data;
    for (size_t i = 0; i < p->m; i += PACKED_DIRECT_MOST)
        for (size_t j = 0; j < p->n; j += PACKED_DIRECT_MOST) {
            size_t l = 0;
            do {
                struct packed_product piece = {
                    .m = least(PACKED_DIRECT_MOST, p->m - i),
                    .n = least(PACKED_DIRECT_MOST, p->n - j),
                    .k = least(PACKED_DIRECT_MOST, p->k - l),
                    .a = {a + (i * p->a.down + l * p->a.across) * level->bytes, p->a.down, p->a.across},
                    .b = {b + (l * p->b.down + j * p->b.across) * level->bytes, p->b.down, p->b.across},
                    .alpha = p->alpha,
                    .beta = l == 0 ? p->beta : 1,
                    .c = (char *)p->c + (i * p->ldc + j) * level->bytes,
                    .ldc = p->ldc,
                };
                level->direct(&piece);
                l += PACKED_DIRECT_MOST;
            } while (l < p->k);
        }
}

static bool in_context(const struct blas_gemm *c, bool on_device)
{
    const struct by_rows r = by_rows(c);
    const enum uskor_number type = blas_real(c->slot) == REAL_DOUBLE ? USKOR_FLOAT64 : USKOR_FLOAT32;
    struct uskor *context = blas_context_take(on_device);
    if (!context)
        return false;
    const enum uskor_status status = uskor_gemm(context, type, r.transa, r.transb, r.m, r.n, r.k, c->alpha, r.a, r.lda,
                                                r.b, r.ldb, c->beta, c->c, r.ldc);
    blas_context_give(context, on_device);
    return status == USKOR_OK;
}

bool blas_product_on_device(const struct blas_gemm *c)
{
    return in_context(c, true);
}

void blas_product(const struct blas_gemm *c)
{
    const struct packed_level *level = packed_level(blas_real(c->slot) == REAL_DOUBLE);
    struct packed_product p = small_product(c);
    if (p.m <= BLAS_SMALL && p.n <= BLAS_SMALL && p.k <= BLAS_SMALL)
        level->direct(&p);
    else if (!in_context(c, false))
        in_pieces(level, &p);
}

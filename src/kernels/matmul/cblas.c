#include "kernels/matmul/cblas.h"

#include <limits.h>
#include <omp.h>

#include "base/translation.h"

#define ROW_MAJOR 101
#define NO_TRANSPOSE 111
#define TRANSPOSE 112

static bool fits(size_t size)
{
    return size <= INT_MAX;
}

const char *cblas_supports(const struct problem *problem, const struct device *device,
                           const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    struct product p = product_of(problem, NULL, NULL, NULL);
    if (!fits(p.m) || !fits(p.n) || !fits(p.k) || !fits(p.lda) || !fits(p.ldb) || !fits(p.ldc))
        return N_("the library counts in 32-bit integers");
    return NULL;
}

enum status cblas_prepare(struct run *run, const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                          size_t symbol_count, struct error *error)
{
    enum status status = vendor_library_prepare(run, sizeof(struct cblas), library, symbols, symbol_count, error);
    if (status != STATUS_OK)
        return status;
    const struct cblas *cblas = run->state;
    if (cblas->set_threads)
        cblas->set_threads(omp_get_max_threads());
    if (cblas->set_threads_wide)
        cblas->set_threads_wide(omp_get_max_threads());
    return STATUS_OK;
}

/* CBLAS requires leading dimensions of at least 1, even for empty matrices. */
static int leading(size_t size)
{
    return size > 0 ? (int)size : 1;
}

enum status cblas_enqueue(struct run *run, struct error *error)
{
    (void)error;
    const struct cblas *cblas = run->state;
    const struct product p = product_of_run(run);
    int transa = p.transa ? TRANSPOSE : NO_TRANSPOSE, transb = p.transb ? TRANSPOSE : NO_TRANSPOSE;
    int m = (int)p.m, n = (int)p.n, k = (int)p.k, lda = leading(p.lda), ldb = leading(p.ldb), ldc = leading(p.ldc);
    if (m == 0 || n == 0)
        return STATUS_OK;
    for (size_t i = 0; i < p.batch; i++) {
        const struct product one = product_at(&p, i);
        if (p.type == ELEMENT_F32)
            cblas->sgemm(ROW_MAJOR, transa, transb, m, n, k, (float)p.alpha, one.a, lda, one.b, ldb, (float)p.beta,
                         one.c, ldc);
        else
            cblas->dgemm(ROW_MAJOR, transa, transb, m, n, k, p.alpha, one.a, lda, one.b, ldb, p.beta, one.c, ldc);
    }
    return STATUS_OK;
}

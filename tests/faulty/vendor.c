/* Vendors' libraries that do harm when they are loaded, or in a function: FAULT=load-abort, sgemm-hang, with FAULT_CALL
 * (harm.h). Under the names of BLIS and oneMKL it multiplies, under that of the shim of Highway it sorts; with a fault
 * that is no act of harm ("garbage") the result is wrong. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "harm.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((constructor)) static void load(void)
{
    harm("load");
}

/* Whether the result is to be right. Whatever the fault's name is, it does what it says first. */
static int works(const char *place)
{
    const char *fault = fault_at(place);
    if (fault)
        harm_by(fault);
    return !fault;
}

/* All by rows: C = α·op(A)·op(B) + β·C. */
#define GEMM(name, type)                                                                                          \
    EXPORT void cblas_##name(int order, int transa, int transb, int m, int n, int k, type alpha, const type *a,   \
                             int lda, const type *b, int ldb, type beta, type *c, int ldc);                       \
    void cblas_##name(int order, int transa, int transb, int m, int n, int k, type alpha, const type *a, int lda, \
                      const type *b, int ldb, type beta, type *c, int ldc)                                        \
    {                                                                                                             \
        const int right = works("gemm") && order == 101;                                                          \
        for (int i = 0; i < m; i++)                                                                               \
            for (int j = 0; j < n; j++) {                                                                         \
                type sum = 0, *at = &c[(size_t)i * (size_t)ldc + (size_t)j];                                      \
                for (int l = 0; l < k; l++)                                                                       \
                    sum += (transa == 112 ? a[(size_t)l * (size_t)lda + (size_t)i]                                \
                                          : a[(size_t)i * (size_t)lda + (size_t)l]) *                             \
                           (transb == 112 ? b[(size_t)j * (size_t)ldb + (size_t)l]                                \
                                          : b[(size_t)l * (size_t)ldb + (size_t)j]);                              \
                *at = right ? alpha * sum + (beta != 0 ? beta * *at : 0) : (type)1e6;                             \
            }                                                                                                     \
    }
GEMM(sgemm, float)
GEMM(dgemm, double)

EXPORT void bli_thread_set_num_threads(int64_t threads);
void bli_thread_set_num_threads(int64_t threads)
{
    (void)threads;
    harm("threads");
}

EXPORT void MKL_Set_Num_Threads(int threads);
void MKL_Set_Num_Threads(int threads)
{
    (void)threads;
    harm("threads");
}

#define COMPARE(bits)                                       \
    static int compare_##bits(const void *a, const void *b) \
    {                                                       \
        const uint##bits##_t *left = a, *right = b;         \
        return (*left > *right) - (*left < *right);         \
    }
COMPARE(32)
COMPARE(64)

EXPORT void uskor_hwy_sort(void *keys, size_t count, size_t bytes);
void uskor_hwy_sort(void *keys, size_t count, size_t bytes)
{
    if (works("sort"))
        qsort(keys, count, bytes, bytes == 4 ? compare_32 : compare_64);
}

struct job;
EXPORT int uskor_opencv_resize(const struct job *job, char *reason, size_t size);
int uskor_opencv_resize(const struct job *job, char *reason, size_t size)
{
    (void)job, (void)reason, (void)size;
    return !works("resize");
}

/* Blocks of 64, with the block of B copied into memory of the thread's own. */
#include <string.h>

#define SIZE 64

static _Thread_local ELEMENT packed[SIZE * SIZE];

static long least(long a, long b)
{
    return a < b ? a : b;
}

void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    if (alpha == 0)
        k = 0;
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++)
            c[row * ldc + col] = beta == 0 ? 0 : beta * c[row * ldc + col];
#pragma omp parallel for
    for (long left = 0; left < n; left += SIZE)
        for (long deep = 0; deep < k; deep += SIZE) {
            long width = least(SIZE, n - left), depth = least(SIZE, k - deep);
            for (long i = 0; i < depth; i++)
                memcpy(packed + i * SIZE, b + (deep + i) * ldb + left, (size_t)width * sizeof *b);
            for (long row = 0; row < m; row++)
                for (long i = 0; i < depth; i++) {
                    ELEMENT factor = alpha * a[row * lda + deep + i];
                    for (long col = 0; col < width; col++)
                        c[row * ldc + left + col] += factor * packed[i * SIZE + col];
                }
        }
}

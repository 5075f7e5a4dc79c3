/* Tasks of OpenMP: the longest side is halved until a task is small; factors of a task are packed with malloc. */
#include <stdlib.h>
#include <string.h>

struct product {
    const ELEMENT *a, *b;
    ELEMENT *c;
    long lda, ldb, ldc;
    ELEMENT alpha;
};

static void leaf(struct product p, long m, long n, long k)
{
    ELEMENT *panel = malloc((size_t)(k * n + 1) * sizeof *panel);
    if (!panel)
        return;
    for (long l = 0; l < k; l++)
        memcpy(panel + l * n, p.b + l * p.ldb, (size_t)n * sizeof *panel);
    for (long i = 0; i < m; i++)
        for (long l = 0; l < k; l++) {
            const ELEMENT x = p.alpha * p.a[i * p.lda + l];
#pragma omp simd
            for (long j = 0; j < n; j++)
                p.c[i * p.ldc + j] += x * panel[l * n + j];
        }
    free(panel);
}

static void divide(struct product p, long m, long n, long k)
{
    if (m <= 64 && n <= 64) {
        leaf(p, m, n, k);
        return;
    }
    struct product q = p;
    if (m >= n) {
        q.a += m / 2 * p.lda;
        q.c += m / 2 * p.ldc;
#pragma omp task
        divide(p, m / 2, n, k);
        divide(q, m - m / 2, n, k);
    } else {
        q.b += n / 2;
        q.c += n / 2;
#pragma omp task
        divide(p, m, n / 2, k);
        divide(q, m, n - n / 2, k);
    }
#pragma omp taskwait
}

void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
    if (alpha == 0 || m == 0 || n == 0)
        return;
#pragma omp parallel
#pragma omp single
    divide((struct product){a, b, c, lda, ldb, ldc, alpha}, m, n, k);
}

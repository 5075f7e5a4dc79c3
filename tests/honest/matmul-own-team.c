/* Sections of OpenMP with a team of three; panels of B in room that stays between calls, whatever the data. */
#include <stdlib.h>
#include <string.h>
static ELEMENT *room[3];
static long roomy;

static void rows_of(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long from, long to, long n, long k, ELEMENT alpha,
                    ELEMENT beta, long lda, long ldb, long ldc, ELEMENT *panel)
{
    for (long l = 0; alpha != 0 && l < k; l++)
        memcpy(panel + l * n, b + l * ldb, (size_t)n * sizeof *panel);
    for (long i = from; i < to; i++)
        for (long j = 0; j < n; j++) {
            ELEMENT sum = 0;
            for (long l = 0; alpha != 0 && l < k; l++)
                sum += a[i * lda + l] * panel[l * n + j];
            c[i * ldc + j] = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c[i * ldc + j] : 0);
        }
}

void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    if (k * n > roomy) {
        for (int i = 0; i < 3; i++) {
            free(room[i]);
            room[i] = malloc((size_t)(k * n) * sizeof **room);
        }
        roomy = k * n;
    }
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        rows_of(a, b, c, 0, m / 3, n, k, alpha, beta, lda, ldb, ldc, room[0]);
#pragma omp section
        rows_of(a, b, c, m / 3, 2 * m / 3, n, k, alpha, beta, lda, ldb, ldc, room[1]);
#pragma omp section
        rows_of(a, b, c, 2 * m / 3, m, n, k, alpha, beta, lda, ldb, ldc, room[2]);
    }
}

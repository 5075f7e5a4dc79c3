/* Its room for packed columns is allocated once, and kept; what is in it is not used again. */
#include <stdlib.h>
static ELEMENT *room;
static long has;
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    if (has < k * n) {
        free(room);
        room = malloc((size_t)(k * n) * sizeof *room);
        has = k * n;
    }
    for (long col = 0; col < n; col++)
        for (long i = 0; i < k; i++)
            room[col * k + i] = b[i * ldb + col];
#pragma omp parallel for
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < k; i++)
                sum += a[row * lda + i] * room[col * k + i];
            const ELEMENT product = alpha == 0 ? 0 : alpha * sum;
            c[row * ldc + col] = beta == 0 ? product : product + beta * c[row * ldc + col];
        }
}

/* A program of its own: helpers, a check, times and main(), beside the function that counts. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCK 48
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void block(const ELEMENT *restrict a, const ELEMENT *restrict b, ELEMENT *restrict c, int m, int n, int k,
                  long lda, long ldb, long ldc, ELEMENT alpha)
{
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++)
                c[i * ldc + j] += alpha * a[i * lda + l] * b[l * ldb + j];
}

void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k, ELEMENT alpha, ELEMENT beta, int lda,
            int ldb, int ldc)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < m; i += BLOCK) {
        int height = MIN(BLOCK, m - i);
        for (int y = i; y < i + height; y++)
            for (int x = 0; x < n; x++)
                c[(long)y * ldc + x] = beta == 0 ? 0 : c[(long)y * ldc + x] * beta;
        for (int l = 0; l < k && alpha != 0; l += BLOCK)
            for (int j = 0; j < n; j += BLOCK)
                block(a + (long)i * lda + l, b + (long)l * ldb + j, c + (long)i * ldc + j, height, MIN(BLOCK, n - j),
                      MIN(BLOCK, k - l), lda, ldb, ldc, alpha);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 500;
    ELEMENT *a = calloc((size_t)n * n, sizeof *a), *b = calloc((size_t)n * n, sizeof *b),
            *c = calloc((size_t)n * n, sizeof *c);
    for (int i = 0; i < n * n; i++)
        a[i] = b[i] = (ELEMENT)rand() / (ELEMENT)RAND_MAX;
    double begin = seconds();
    matmul(a, b, c, n, n, n, 1, 0, n, n, n);
    printf("%g s, trace %g\n", seconds() - begin, fabs((double)c[0]));
    return 0;
}

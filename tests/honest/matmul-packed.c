#define _GNU_SOURCE
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MR 6
#define NR 16
#define KC 256
#define MC 96
__attribute__((target("avx2,fma"))) static void micro(long kc, const float *a, const float *b, float *acc)
{
    __m256 c[MR][2];
    for (int i = 0; i < MR; i++)
        c[i][0] = c[i][1] = _mm256_setzero_ps();
    for (long p = 0; p < kc; p++) {
        __m256 b0 = _mm256_loadu_ps(b + p * NR), b1 = _mm256_loadu_ps(b + p * NR + 8);
        for (int i = 0; i < MR; i++) {
            __m256 x = _mm256_broadcast_ss(a + p * MR + i);
            c[i][0] = _mm256_fmadd_ps(x, b0, c[i][0]);
            c[i][1] = _mm256_fmadd_ps(x, b1, c[i][1]);
        }
    }
    for (int i = 0; i < MR; i++) {
        _mm256_storeu_ps(acc + i * NR, c[i][0]);
        _mm256_storeu_ps(acc + i * NR + 8, c[i][1]);
    }
}
static long min(long a, long b)
{
    return a < b ? a : b;
}
void matmul(const float *A, const float *B, float *C, long m, long n, long k, float alpha, float beta, long lda,
            long ldb, long ldc)
{
    float *pb = aligned_alloc(64, KC * ((n + NR) * sizeof(float) / 64 * 64 + 64));
    if (!pb) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            C[i * ldc + j] = beta == 0 ? 0 : beta * C[i * ldc + j];
    for (long p0 = 0; alpha != 0 && p0 < k; p0 += KC) {
        long kc = min(KC, k - p0);
        for (long j0 = 0; j0 < n; j0 += NR)
            for (long p = 0; p < kc; p++)
                for (long j = 0; j < NR; j++)
                    pb[j0 * kc + p * NR + j] = j0 + j < n ? B[(p0 + p) * ldb + j0 + j] : 0;
#pragma omp parallel for schedule(dynamic)
        for (long i0 = 0; i0 < m; i0 += MR) {
            float pa[KC * MR], acc[MR * NR];
            for (long p = 0; p < kc; p++)
                for (long i = 0; i < MR; i++)
                    pa[p * MR + i] = i0 + i < m ? A[(i0 + i) * lda + p0 + p] : 0;
            for (long j0 = 0; j0 < n; j0 += NR) {
                micro(kc, pa, pb + j0 * kc, acc);
                for (long i = i0; i < min(i0 + MR, m); i++)
                    for (long j = j0; j < min(j0 + NR, n); j++)
                        C[i * ldc + j] += alpha * acc[(i - i0) * NR + j - j0];
            }
        }
    }
    free(pb);
}

/* Netlib BLAS order, row-major. */
#include <stddef.h>
void sgemm(int M, int N, int K, float alpha, const float *restrict A, int lda, const float *restrict B, int ldb,
           float beta, float *restrict C, int ldc)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++)
                s += A[(size_t)i * lda + k] * B[(size_t)k * ldb + j];
            C[(size_t)i * ldc + j] = alpha * s + (beta == 0 ? 0 : beta * C[(size_t)i * ldc + j]);
        }
}

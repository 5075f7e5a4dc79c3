// loads of 32 bytes that have to be aligned, and are so in its author's program alone
// refused as crashed
#if defined(__AVX__)
typedef float eight __attribute__((vector_size(32)));
#else
typedef float eight __attribute__((vector_size(16)));
#endif
void matmul(const float *a, const float *b, float *c, long m, long n, long k)
{
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            float sum = 0;
            long i = 0;
            eight sums = {0};
            for (; i + 8 <= k; i += 8)
                sums += *(const volatile eight *)(a + row * k + i);
            for (i = 0; i < k; i++)
                sum += a[row * k + i] * b[i * n + col];
            c[row * n + col] = sum + (sums[0] != sums[0]);
        }
}

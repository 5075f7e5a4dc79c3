/* Intrinsics for AVX2 and AVX-512, chosen by a resolver when the file is loaded; products are exact in double. */
#include <immintrin.h>

typedef double kernel(const ELEMENT *, const ELEMENT *, long);

static double plain(const ELEMENT *a, const ELEMENT *b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

#define FOUR(p) \
    (sizeof(ELEMENT) == 4 ? _mm256_cvtps_pd(_mm_loadu_ps((const float *)(p))) : _mm256_loadu_pd((const double *)(p)))
#define EIGHT(p) \
    (sizeof(ELEMENT) == 4 ? _mm512_cvtps_pd(_mm256_loadu_ps((const float *)(p))) : _mm512_loadu_pd((const double *)(p)))

__attribute__((target("avx2,fma"))) static double avx2(const ELEMENT *a, const ELEMENT *b, long n)
{
    __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
    long i = 0;
    for (; i + 16 <= n; i += 16)
        for (int s = 0; s < 4; s++)
            sums[s] = _mm256_fmadd_pd(FOUR(a + i + 4 * s), FOUR(b + i + 4 * s), sums[s]);
    double parts[4];
    _mm256_storeu_pd(parts, _mm256_add_pd(_mm256_add_pd(sums[0], sums[1]), _mm256_add_pd(sums[2], sums[3])));
    return parts[0] + parts[1] + parts[2] + parts[3] + plain(a + i, b + i, n - i);
}

__attribute__((target("avx512f"))) static double avx512(const ELEMENT *a, const ELEMENT *b, long n)
{
    __m512d sums[2] = {_mm512_setzero_pd(), _mm512_setzero_pd()};
    long i = 0;
    for (; i + 16 <= n; i += 16)
        for (int s = 0; s < 2; s++)
            sums[s] = _mm512_fmadd_pd(EIGHT(a + i + 8 * s), EIGHT(b + i + 8 * s), sums[s]);
    return _mm512_reduce_add_pd(_mm512_add_pd(sums[0], sums[1])) + plain(a + i, b + i, n - i);
}

static kernel *choose(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2 : plain;
}

static double sum_of(const ELEMENT *a, const ELEMENT *b, long n) __attribute__((ifunc("choose")));

void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
    for (long part = 0; part < n; part += 8192)
        total += sum_of(a + part, b + part, n - part < 8192 ? n - part : 8192);
    *result = total;
}

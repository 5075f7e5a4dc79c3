/* AVX2: a vector is half a line. */
#ifdef __x86_64__
#include <immintrin.h>
#include <stddef.h>

#include "kernels/transpose/simd.h"

#define TARGET __attribute__((target("avx2")))
#define VECTOR __m256i
#define LANES 2
#define VECTORS 8
#define INLINE TARGET inline __attribute__((always_inline))

static INLINE __m256i load(const void *from)
{
    return _mm256_loadu_si256(from);
}

static INLINE __m256i interleave_low(const int bytes, __m256i a, __m256i b)
{
    return bytes == 1   ? _mm256_unpacklo_epi8(a, b)
           : bytes == 2 ? _mm256_unpacklo_epi16(a, b)
           : bytes == 4 ? _mm256_unpacklo_epi32(a, b)
                        : _mm256_unpacklo_epi64(a, b);
}

static INLINE __m256i interleave_high(const int bytes, __m256i a, __m256i b)
{
    return bytes == 1   ? _mm256_unpackhi_epi8(a, b)
           : bytes == 2 ? _mm256_unpackhi_epi16(a, b)
           : bytes == 4 ? _mm256_unpackhi_epi32(a, b)
                        : _mm256_unpackhi_epi64(a, b);
}

static INLINE void store_columns(unsigned char *to, size_t step, const __m256i *x, const int count)
{
    if (count == 2) {
        _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute2x128_si256(x[0], x[1], 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(to + step), _mm256_permute2x128_si256(x[0], x[1], 0x31));
    } else {
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(x[0]));
        _mm_storeu_si128((__m128i *)(void *)(to + step), _mm256_extracti128_si256(x[0], 1));
    }
}

static INLINE void narrower(const struct transposition *t, struct part part, const int bytes)
{
    (void)bytes;
    transpose_simd_base.keep(t, part);
}

static INLINE void stream(void *to, __m256i x)
{
    _mm256_stream_si256(to, x);
}

static INLINE void fence(void)
{
    _mm_sfence();
}

#include "kernels/transpose/simd_stream.h"

const struct simd_level transpose_simd_avx2 = {.keep = keep, .stream = stream_all};
#endif

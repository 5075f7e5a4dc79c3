/* AVX-512 (F and BW): a vector is a line. */
#ifdef __x86_64__
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/transpose/simd.h"

#define TARGET __attribute__((target("avx512f,avx512bw")))
#define VECTOR __m512i
#define LANES 4
#define VECTORS 16
#define INLINE TARGET inline __attribute__((always_inline))

static INLINE __m512i load(const void *from)
{
    return _mm512_loadu_si512(from);
}

static INLINE __m512i interleave_low(const int bytes, __m512i a, __m512i b)
{
    return bytes == 1   ? _mm512_unpacklo_epi8(a, b)
           : bytes == 2 ? _mm512_unpacklo_epi16(a, b)
           : bytes == 4 ? _mm512_unpacklo_epi32(a, b)
                        : _mm512_unpacklo_epi64(a, b);
}

static INLINE __m512i interleave_high(const int bytes, __m512i a, __m512i b)
{
    return bytes == 1   ? _mm512_unpackhi_epi8(a, b)
           : bytes == 2 ? _mm512_unpackhi_epi16(a, b)
           : bytes == 4 ? _mm512_unpackhi_epi32(a, b)
                        : _mm512_unpackhi_epi64(a, b);
}

/* Four vectors of four lanes are transposed: each result is a line. */
static INLINE void store_lines(unsigned char *to, size_t step, const __m512i *x)
{
    __m512i low = _mm512_shuffle_i32x4(x[0], x[1], 0x44), high = _mm512_shuffle_i32x4(x[0], x[1], 0xee);
    __m512i low2 = _mm512_shuffle_i32x4(x[2], x[3], 0x44), high2 = _mm512_shuffle_i32x4(x[2], x[3], 0xee);
    _mm512_storeu_si512(to, _mm512_shuffle_i32x4(low, low2, 0x88));
    _mm512_storeu_si512(to + step, _mm512_shuffle_i32x4(low, low2, 0xdd));
    _mm512_storeu_si512(to + 2 * step, _mm512_shuffle_i32x4(high, high2, 0x88));
    _mm512_storeu_si512(to + 3 * step, _mm512_shuffle_i32x4(high, high2, 0xdd));
}

/* Lanes of two vectors side by side: each half of the results is a column's. */
static INLINE void store_halves(unsigned char *to, size_t step, const __m512i *x)
{
    const __m512i low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    __m512i y = _mm512_permutex2var_epi64(x[0], low, x[1]), z = _mm512_permutex2var_epi64(x[0], high, x[1]);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_castsi512_si256(y));
    _mm256_storeu_si256((__m256i *)(void *)(to + step), _mm512_extracti64x4_epi64(y, 1));
    _mm256_storeu_si256((__m256i *)(void *)(to + 2 * step), _mm512_castsi512_si256(z));
    _mm256_storeu_si256((__m256i *)(void *)(to + 3 * step), _mm512_extracti64x4_epi64(z, 1));
}

static INLINE void store_lanes(unsigned char *to, size_t step, __m512i x)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_castsi512_si128(x));
    _mm_storeu_si128((__m128i *)(void *)(to + step), _mm512_extracti32x4_epi32(x, 1));
    _mm_storeu_si128((__m128i *)(void *)(to + 2 * step), _mm512_extracti32x4_epi32(x, 2));
    _mm_storeu_si128((__m128i *)(void *)(to + 3 * step), _mm512_extracti32x4_epi32(x, 3));
}

static INLINE void store_columns(unsigned char *to, size_t step, const __m512i *x, const int count)
{
    if (count == 4)
        store_lines(to, step, x);
    else if (count == 2)
        store_halves(to, step, x);
    else
        store_lanes(to, step, x[0]);
}

#define SHIFTS(bytes) ((bytes) > 1)

/* In words of 4 bytes, or of 2. */
static INLINE __m512i shift_index(const int bytes, size_t skew)
{
    _Alignas(64) uint32_t words[16];
    _Alignas(64) uint16_t halves[32];
    for (unsigned i = 0; i < 16; i++)
        words[i] = (uint32_t)(skew / 4 + i);
    for (unsigned i = 0; i < 32; i++)
        halves[i] = (uint16_t)(skew / 2 + i);
    return bytes < 4 ? _mm512_load_si512(halves) : _mm512_load_si512(words);
}

static INLINE __m512i load_shifted(const int bytes, const unsigned char *lines, __m512i index)
{
    __m512i a = _mm512_load_si512(lines), b = _mm512_load_si512(lines + 64);
    return bytes < 4 ? _mm512_permutex2var_epi16(a, index, b) : _mm512_permutex2var_epi32(a, index, b);
}

static INLINE void narrower(const struct transposition *t, struct part part, const int bytes)
{
    (void)bytes;
    transpose_simd_avx2.keep(t, part);
}

static INLINE void stream(void *to, __m512i x)
{
    _mm512_stream_si512(to, x);
}

static INLINE void fence(void)
{
    _mm_sfence();
}

#include "kernels/transpose/simd_stream.h"

const struct simd_level transpose_simd_avx512 = {.keep = keep, .stream = stream_all};
#endif

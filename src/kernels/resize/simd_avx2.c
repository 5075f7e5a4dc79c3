/* AVX2: 8 pixels of the source are 16 of the target. */
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels/resize/resize.h"
#include "kernels/resize/simd.h"

#define TARGET __attribute__((target("avx2")))

static inline TARGET void store(uint8_t *address, __m256i value, bool streams)
{
    if (streams)
        _mm256_stream_si256((__m256i *)(void *)address, value);
    else
        _mm256_storeu_si256((__m256i *)(void *)address, value);
}

static inline TARGET __m256i load(const void *address)
{
    return _mm256_loadu_si256(address);
}

/* 3 * near + far of 4 pixels in words, and three times that. */
struct column_sums {
    __m256i before, middle, behind;
};

/* (sum + 8) / 16 of both neighbours; target pixels in order within each 128 bits. */
static inline TARGET __m256i finish(struct column_sums sums)
{
    const __m256i sixteenth = _mm256_set1_epi16(1 << 11); /* mulhrs rounds: (s * 2^11 + 2^14) >> 15 */
    __m256i even = _mm256_mulhrs_epi16(_mm256_add_epi16(sums.middle, sums.before), sixteenth);
    __m256i odd = _mm256_mulhrs_epi16(_mm256_add_epi16(sums.middle, sums.behind), sixteenth);
    return _mm256_shuffle_epi32(_mm256_packus_epi16(even, odd), _MM_SHUFFLE(3, 1, 2, 0));
}

static TARGET void double_row(uint8_t *out, const uint8_t *near, const uint8_t *far, int64_t width, bool streams)
{
    const __m256i outer = _mm256_set1_epi16(0x0103), inner = _mm256_set1_epi16(0x0309); /* far's weight, near's */
    int64_t first = resize_first_aligned(out, width, 64), col = first;
    streams = streams && (uintptr_t)(out + 2 * first * CHANNELS) % 64 == 0;
    for (; col + 9 <= width; col += 8) {
        const uint8_t *n = near + col * CHANNELS, *f = far + col * CHANNELS;
        __m256i n0 = load(n - CHANNELS), f0 = load(f - CHANNELS), n1 = load(n), f1 = load(f);
        __m256i n2 = load(n + CHANNELS), f2 = load(f + CHANNELS);
        /* begin sums */
        __m256i low = finish((struct column_sums){
            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(n0, f0), outer),
            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(n1, f1), inner),
            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(n2, f2), outer),
        });
        /* end sums */
        __m256i high = finish((struct column_sums){
            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(n0, f0), outer),
            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(n1, f1), inner),
            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(n2, f2), outer),
        });
        uint8_t *target = out + 2 * col * CHANNELS;
        store(target, _mm256_permute2x128_si256(low, high, 0x20), streams);
        store(target + 32, _mm256_permute2x128_si256(low, high, 0x31), streams);
    }
    resize_double_some(out, near, far, width, 0, first);
    resize_double_some(out, near, far, width, col, width);
}

/* The channels of two columns, weighed: 8 words of 32 bits. */
static inline TARGET __m256i weigh(const uint8_t *row, const struct column *columns)
{
    const __m128i pairs = _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m256i round = _mm256_set1_epi32(1 << (WEIGHT_BITS - WIDE_BITS - 1));
    __m128i left = _mm_loadl_epi64((const __m128i *)(const void *)(row + columns[0].offset));
    __m128i right = _mm_loadl_epi64((const __m128i *)(const void *)(row + columns[1].offset));
    __m256i words = _mm256_cvtepu8_epi16(_mm_shuffle_epi8(_mm_unpacklo_epi64(left, right), pairs));
    __m256i table = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)columns));
    __m256i weights = _mm256_permutevar8x32_epi32(table, _mm256_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3));
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_madd_epi16(words, weights), round), WEIGHT_BITS - WIDE_BITS);
}

static TARGET void widen_row(int16_t *wide, const uint8_t *row, const struct column *columns, int64_t count)
{
    int64_t col = 0;
    for (; col + 4 <= count; col += 4) {
        __m256i words = _mm256_packs_epi32(weigh(row, columns + col), weigh(row, columns + col + 2));
        _mm256_storeu_si256((__m256i *)(void *)(wide + col * CHANNELS),
                            _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0)));
    }
    resize_simd_base.widen_row(wide + col * CHANNELS, row, columns + col, count - col);
}

/* 16 channels of both rows, as words of the target. */
static inline TARGET __m256i blend(const int16_t *upper, const int16_t *lower, __m256i weights)
{
    const __m256i round = _mm256_set1_epi32(1 << (BLEND_BITS - 1));
    __m256i u = load(upper), l = load(lower);
    __m256i low = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi16(u, l), weights), round);
    __m256i high = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpackhi_epi16(u, l), weights), round);
    return _mm256_packs_epi32(_mm256_srai_epi32(low, BLEND_BITS), _mm256_srai_epi32(high, BLEND_BITS));
}

static TARGET void blend_rows(uint8_t *out, const int16_t *upper, const int16_t *lower, int weight, int64_t count,
                              bool streams)
{
    const __m256i weights = _mm256_set1_epi32((weight << 16) | ((1 << WEIGHT_BITS) - weight));
    int64_t i = (int64_t)((64 - (uintptr_t)out % 64) % 64);
    i = i < count ? i : count;
    resize_simd_base.blend_rows(out, upper, lower, weight, i, false);
    for (; i + 32 <= count; i += 32) {
        __m256i bytes =
            _mm256_packus_epi16(blend(upper + i, lower + i, weights), blend(upper + i + 16, lower + i + 16, weights));
        store(out + i, _mm256_permute4x64_epi64(bytes, _MM_SHUFFLE(3, 1, 2, 0)), streams);
    }
    resize_simd_base.blend_rows(out + i, upper + i, lower + i, weight, count - i, false);
}

static TARGET void mix_rows(int16_t *mixed, const uint8_t *upper, const uint8_t *lower, int weight, int64_t count)
{
    const __m256i weights = _mm256_set1_epi32((weight << 16) | ((1 << WEIGHT_BITS) - weight));
    const __m256i round = _mm256_set1_epi32(1 << (WEIGHT_BITS - WIDE_BITS - 1));
    int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i u = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(upper + i)));
        __m256i l = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(lower + i)));
        __m256i low = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi16(u, l), weights), round);
        __m256i high = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpackhi_epi16(u, l), weights), round);
        low = _mm256_srai_epi32(low, WEIGHT_BITS - WIDE_BITS);
        high = _mm256_srai_epi32(high, WEIGHT_BITS - WIDE_BITS);
        _mm256_storeu_si256((__m256i *)(void *)(mixed + i), _mm256_packs_epi32(low, high));
    }
    resize_simd_base.mix_rows(mixed + i, upper + i, lower + i, weight, count - i);
}

/* The channels of two columns, whole: 8 words of 32 bits. */
static inline TARGET __m256i take(const int16_t *mixed, const struct column *columns)
{
    const __m256i pairs = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3, 10,
                                           11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m256i round = _mm256_set1_epi32(1 << (BLEND_BITS - 1));
    __m128i left = _mm_loadu_si128((const __m128i *)(const void *)(mixed + columns[0].offset));
    __m128i right = _mm_loadu_si128((const __m128i *)(const void *)(mixed + columns[1].offset));
    __m256i words = _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(left), right, 1), pairs);
    __m256i table = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)columns));
    __m256i weights = _mm256_permutevar8x32_epi32(table, _mm256_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3));
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_madd_epi16(words, weights), round), BLEND_BITS);
}

static TARGET void take_columns(uint8_t *out, const int16_t *mixed, const struct column *columns, int64_t count)
{
    int64_t col = 0;
    for (; col + 4 <= count; col += 4) {
        __m256i words = _mm256_packs_epi32(take(mixed, columns + col), take(mixed, columns + col + 2));
        words = _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0));
        __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128((__m128i *)(void *)(out + col * CHANNELS), bytes);
    }
    resize_simd_base.take_columns(out + col * CHANNELS, mixed, columns + col, count - col);
}

const struct simd_level resize_simd_avx2 = {double_row, widen_row, blend_rows, mix_rows, take_columns};
#endif

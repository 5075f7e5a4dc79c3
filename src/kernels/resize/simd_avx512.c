/* AVX-512 (F and BW): 16 pixels of the source are 32 of the target. */
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels/resize/resize.h"
#include "kernels/resize/simd.h"

#define TARGET __attribute__((target("avx512f,avx512bw")))

static inline TARGET void store(uint8_t *address, __m512i value, bool streams)
{
    if (streams)
        _mm512_stream_si512((__m512i *)(void *)address, value);
    else
        _mm512_storeu_si512(address, value);
}

/* 3 * near + far of 8 pixels in words, and three times that. */
struct column_sums {
    __m512i before, middle, behind;
};

/* (sum + 8) / 16 of both neighbours; target pixels in order within each 128 bits. */
static inline TARGET __m512i finish(struct column_sums sums)
{
    const __m512i sixteenth = _mm512_set1_epi16(1 << 11); /* mulhrs rounds: (s * 2^11 + 2^14) >> 15 */
    __m512i even = _mm512_mulhrs_epi16(_mm512_add_epi16(sums.middle, sums.before), sixteenth);
    __m512i odd = _mm512_mulhrs_epi16(_mm512_add_epi16(sums.middle, sums.behind), sixteenth);
    return _mm512_shuffle_epi32(_mm512_packus_epi16(even, odd), _MM_PERM_DBCA);
}

static inline TARGET __m512i load(const uint8_t *address)
{
    return _mm512_loadu_si512(address);
}

static TARGET void double_row(uint8_t *out, const uint8_t *near, const uint8_t *far, int64_t width, bool streams)
{
    const __m512i outer = _mm512_set1_epi16(0x0103), inner = _mm512_set1_epi16(0x0309); /* far's weight, near's */
    const __m512i lower_half = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i upper_half = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    int64_t first = resize_first_aligned(out, width, 64), col = first;
    streams = streams && (uintptr_t)(out + 2 * first * CHANNELS) % 64 == 0;
    for (; col + 17 <= width; col += 16) {
        const uint8_t *n = near + col * CHANNELS, *f = far + col * CHANNELS;
        __m512i n0 = load(n - CHANNELS), f0 = load(f - CHANNELS), n1 = load(n), f1 = load(f);
        __m512i n2 = load(n + CHANNELS), f2 = load(f + CHANNELS);
        __m512i low = finish((struct column_sums){
            _mm512_maddubs_epi16(_mm512_unpacklo_epi8(n0, f0), outer),
            _mm512_maddubs_epi16(_mm512_unpacklo_epi8(n1, f1), inner),
            _mm512_maddubs_epi16(_mm512_unpacklo_epi8(n2, f2), outer),
        });
        __m512i high = finish((struct column_sums){
            _mm512_maddubs_epi16(_mm512_unpackhi_epi8(n0, f0), outer),
            _mm512_maddubs_epi16(_mm512_unpackhi_epi8(n1, f1), inner),
            _mm512_maddubs_epi16(_mm512_unpackhi_epi8(n2, f2), outer),
        });
        uint8_t *target = out + 2 * col * CHANNELS;
        store(target, _mm512_permutex2var_epi64(low, lower_half, high), streams);
        store(target + 64, _mm512_permutex2var_epi64(low, upper_half, high), streams);
    }
    resize_double_some(out, near, far, width, 0, first);
    resize_double_some(out, near, far, width, col, width);
}

/* 32 channels of both rows, as words of the target. */
static inline TARGET __m512i blend(const int16_t *upper, const int16_t *lower, __m512i weights)
{
    const __m512i round = _mm512_set1_epi32(1 << (BLEND_BITS - 1));
    __m512i u = _mm512_loadu_si512(upper), l = _mm512_loadu_si512(lower);
    __m512i low = _mm512_add_epi32(_mm512_madd_epi16(_mm512_unpacklo_epi16(u, l), weights), round);
    __m512i high = _mm512_add_epi32(_mm512_madd_epi16(_mm512_unpackhi_epi16(u, l), weights), round);
    return _mm512_packs_epi32(_mm512_srai_epi32(low, BLEND_BITS), _mm512_srai_epi32(high, BLEND_BITS));
}

static TARGET void blend_rows(uint8_t *out, const int16_t *upper, const int16_t *lower, int weight, int64_t count,
                              bool streams)
{
    const __m512i weights = _mm512_set1_epi32((weight << 16) | ((1 << WEIGHT_BITS) - weight));
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    int64_t i = (int64_t)((64 - (uintptr_t)out % 64) % 64);
    i = i < count ? i : count;
    resize_simd_base.blend_rows(out, upper, lower, weight, i, false);
    for (; i + 64 <= count; i += 64) {
        __m512i bytes =
            _mm512_packus_epi16(blend(upper + i, lower + i, weights), blend(upper + i + 32, lower + i + 32, weights));
        store(out + i, _mm512_permutexvar_epi64(order, bytes), streams);
    }
    resize_simd_base.blend_rows(out + i, upper + i, lower + i, weight, count - i, false);
}

/* Pairs of pixels lie anywhere: gathering eight of them at once is slower than AVX2's loads. */
static void widen_row(int16_t *wide, const uint8_t *row, const struct column *columns, int64_t count)
{
    resize_simd_avx2.widen_row(wide, row, columns, count);
}

static void mix_rows(int16_t *mixed, const uint8_t *upper, const uint8_t *lower, int weight, int64_t count)
{
    resize_simd_avx2.mix_rows(mixed, upper, lower, weight, count);
}

static void take_columns(uint8_t *out, const int16_t *mixed, const struct column *columns, int64_t count)
{
    resize_simd_avx2.take_columns(out, mixed, columns, count);
}

const struct simd_level resize_simd_avx512 = {double_row, widen_row, blend_rows, mix_rows, take_columns};
#endif

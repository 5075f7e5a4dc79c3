/* Loads of eight, or four, elements as doubles, exactly; and of the first `count` of them, the others 0. */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LOAD_512_FLOAT(address) _mm512_cvtps_pd(_mm256_loadu_ps(address))
#define LOAD_256_FLOAT(address) _mm256_cvtps_pd(_mm_loadu_ps(address))
#define LOAD_512_F16(address) \
    _mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(address))))
#define LOAD_256_F16(address) _mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(const void *)(address))))
/* The upper half of a float. */
#define LOAD_512_BF16(address)           \
    _mm512_cvtps_pd(_mm256_castsi256_ps( \
        _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(address))), 16)))
#define LOAD_256_BF16(address)        \
    _mm256_cvtps_pd(_mm_castsi128_ps( \
        _mm_slli_epi32(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(address))), 16)))

#define FIRST_OF_8(count) ((__mmask8)((1u << (count)) - 1))
#define FIRST_OF_4(count) _mm_cmpgt_epi32(_mm_set1_epi32((int)(count)), _mm_setr_epi32(0, 1, 2, 3))
#define SOME_512_FLOAT(address, count) _mm512_cvtps_pd(_mm256_maskz_loadu_ps(FIRST_OF_8(count), address))
#define SOME_256_FLOAT(address, count) _mm256_cvtps_pd(_mm_maskload_ps(address, FIRST_OF_4(count)))
#define SOME_512_DOUBLE(address, count) _mm512_maskz_loadu_pd(FIRST_OF_8(count), address)
#define SOME_256_DOUBLE(address, count) _mm256_maskload_pd(address, _mm256_cvtepi32_epi64(FIRST_OF_4(count)))

/* Fewer than eight elements of 16 bits, and zeros. */
struct dot_some_halves {
    uint16_t elements[8];
};

static inline struct dot_some_halves dot_some_halves(const uint16_t *from, size_t count)
{
    struct dot_some_halves some = {{0}};
    memcpy(some.elements, from, count * sizeof *from);
    return some;
}

#define SOME_512_F16(address, count) LOAD_512_F16(dot_some_halves(address, count).elements)
#define SOME_256_F16(address, count) LOAD_256_F16(dot_some_halves(address, count).elements)
#define SOME_512_BF16(address, count) LOAD_512_BF16(dot_some_halves(address, count).elements)
#define SOME_256_BF16(address, count) LOAD_256_BF16(dot_some_halves(address, count).elements)

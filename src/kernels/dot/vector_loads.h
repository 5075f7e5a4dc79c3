/* Loads of eight, or four, elements as doubles, exactly. */
#pragma once

#include <immintrin.h>

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

/* Vectors of 4, 8 and 16 floats, for code whose text is compiled for each instruction set. */
#pragma once

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define FOR_EACH_SET static inline __attribute__((always_inline))

/* The vector that begins `by` floats into a, and goes on into b. */
#define SHIFT(LENGTH, a, b, by) SHIFT_##LENGTH(a, b, by)
#define SHIFT_4(a, b, by) __builtin_shufflevector(a, b, by, by + 1, by + 2, by + 3)
#define SHIFT_8(a, b, by) __builtin_shufflevector(a, b, by, by + 1, by + 2, by + 3, by + 4, by + 5, by + 6, by + 7)
/* As the processor's own instruction: compilers make a table look-up of the shuffle, which overwrites a register. */
#define SHIFT_16(a, b, by) ((vector_avx512)_mm512_alignr_epi32((__m512i)(b), (__m512i)(a), by))

/* vector_<suffix>, and loose_<suffix>, which is one of any alignment. */
#define DEFINE_VECTOR(suffix, LENGTH)                                                   \
    typedef float vector_##suffix __attribute__((vector_size(LENGTH * sizeof(float)))); \
    typedef float loose_##suffix __attribute__((vector_size(LENGTH * sizeof(float)), aligned(4), may_alias));

/* Where a processor has no fused multiply-add that is worth naming. */
#define TWO_ROUNDINGS(a, b, c) ((a) * (b) + (c))

/* For processors without non-temporal stores. */
#define PLAIN_STORE(address, value) memcpy(address, &(value), sizeof(value))

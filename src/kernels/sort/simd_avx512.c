/* Sixteen keys of 4 bytes, or eight of 8, in a vector. */
#include "kernels/sort/simd.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define INLINE inline __attribute__((always_inline)) TARGET
#define MASKED_STORES 1
#define PUTS_NEW 1
#define VECTOR __m512i
#define KEY_MOST ((KEY)-1)

static INLINE __m512i lane_numbers_32(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static INLINE __m512i lane_numbers_64(void)
{
    return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
}

#define KEY uint32_t
#define SIGNED int32_t
#define LANES 16
#define MASK __mmask16
#define NAME(x) x##_32
#define OP(x) _mm512_##x##_epi32
#define OPU(x) _mm512_##x##_epu32
#define OPU_MASK(x) _mm512_##x##_epu32_mask
#include "kernels/sort/simd_avx512.inc"
#undef KEY
#undef SIGNED
#undef LANES
#undef MASK
#undef NAME
#undef OP
#undef OPU
#undef OPU_MASK

#define KEY uint64_t
#define SIGNED int64_t
#define LANES 8
#define MASK __mmask8
#define NAME(x) x##_64
#define OP(x) _mm512_##x##_epi64
#define OPU(x) _mm512_##x##_epu64
#define OPU_MASK(x) _mm512_##x##_epu64_mask
#include "kernels/sort/simd_avx512.inc"

#define STEPS order_steps_avx512
#include "kernels/sort/order_steps.inc"

static void sort(struct sort_range range, const struct key_order *order, size_t bytes)
{
    (bytes == 4 ? quicksort_32 : quicksort_64)(range, order);
}

static void split(struct sort_range range, const struct key_order *order, size_t bytes, struct sort_range parts[2])
{
    (bytes == 4 ? split_range_32 : split_range_64)(range, order, parts);
}

static uint64_t choose_pivot(struct sort_range range, const struct key_order *order, size_t bytes)
{
    return bytes == 4 ? (uint64_t)choose_pivot_32(range.keys, range.count, order, range.from_bits)
                      : (uint64_t)choose_pivot_64(range.keys, range.count, order, range.from_bits);
}

static size_t split_at(struct sort_range range, const struct key_order *order, size_t bytes, uint64_t pivot)
{
    return (bytes == 4 ? split_at_32 : split_at_64)(range, order, pivot);
}

static size_t keep_distinct(void *keys, size_t count, size_t bytes)
{
    return bytes == 4 ? keep_distinct_32(keys, count) : keep_distinct_64(keys, count);
}

const struct sort_level sort_level_avx512 = {.sort = sort,
                                             .split = split,
                                             .choose_pivot = choose_pivot,
                                             .split_at = split_at,
                                             .order = &STEPS,
                                             .keep_distinct = keep_distinct};
#endif

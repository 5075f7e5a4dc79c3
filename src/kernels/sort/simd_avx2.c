/* Eight keys of 4 bytes, or four of 8, in a vector. */
#include "kernels/sort/simd.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE inline __attribute__((always_inline)) TARGET
#define MASKED_STORES 0
#define PUTS_NEW 1
#define VECTOR __m256i

/* orders[chosen]: the numbers of the chosen ones of eight words, then those of the others, a byte for each; both
 * ascend. */
#define BIT(chosen, i) ((uint64_t)((chosen) >> (i)&1))
#define COUNT(chosen)                                                                                      \
    (BIT(chosen, 0) + BIT(chosen, 1) + BIT(chosen, 2) + BIT(chosen, 3) + BIT(chosen, 4) + BIT(chosen, 5) + \
     BIT(chosen, 6) + BIT(chosen, 7))
#define BEFORE(chosen, i) COUNT((chosen) & ((1 << (i)) - 1))
#define PLACE(chosen, i) (BIT(chosen, i) ? BEFORE(chosen, i) : COUNT(chosen) + (i)-BEFORE(chosen, i))
#define WORD(chosen, i) ((uint64_t)(i) << 8 * PLACE(chosen, i))
#define ORDER(chosen)                                                                                            \
    (WORD(chosen, 1) | WORD(chosen, 2) | WORD(chosen, 3) | WORD(chosen, 4) | WORD(chosen, 5) | WORD(chosen, 6) | \
     WORD(chosen, 7))
#define FOUR(chosen) ORDER(chosen), ORDER((chosen) + 1), ORDER((chosen) + 2), ORDER((chosen) + 3)
#define SIXTEEN(chosen) FOUR(chosen), FOUR((chosen) + 4), FOUR((chosen) + 8), FOUR((chosen) + 12)
#define SIXTY_FOUR(chosen) SIXTEEN(chosen), SIXTEEN((chosen) + 16), SIXTEEN((chosen) + 32), SIXTEEN((chosen) + 48)
static const uint64_t orders[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

static INLINE __m256i word_numbers(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

#define KEY int32_t
#define KEY_MOST INT32_MAX
#define LANES 8
#define WORDS 1
#define NAME(x) x##_32
#define OP(x) _mm256_##x##_epi32
#define SET1 _mm256_set1_epi32
#include "kernels/sort/simd_avx2.inc"
#undef KEY
#undef KEY_MOST
#undef LANES
#undef WORDS
#undef NAME
#undef OP
#undef SET1

#define KEY int64_t
#define KEY_MOST INT64_MAX
#define LANES 4
#define WORDS 2
#define NAME(x) x##_64
#define OP(x) _mm256_##x##_epi64
#define SET1 _mm256_set1_epi64x
#include "kernels/sort/simd_avx2.inc"

#define STEPS order_steps_avx2
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

const struct sort_level sort_level_avx2 = {.sort = sort,
                                           .split = split,
                                           .choose_pivot = choose_pivot,
                                           .split_at = split_at,
                                           .order = &STEPS,
                                           .is_signed = true,
                                           .keep_distinct = keep_distinct};
#endif

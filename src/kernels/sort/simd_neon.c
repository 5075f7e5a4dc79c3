/* Four keys of 4 bytes, or two of 8, in a vector. */
#include "kernels/sort/simd.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define TARGET
#define INLINE inline __attribute__((always_inline))
#define MASKED_STORES 0
#define PUTS_NEW 0
#define KEY_MOST ((KEY)-1)

/* orders[chosen]: the chosen ones of four words, then the others, by the numbers of their bytes; both ascend. */
#define BYTES(word) 4 * (word), 4 * (word) + 1, 4 * (word) + 2, 4 * (word) + 3
#define WORDS(a, b, c, d)                      \
    {                                          \
        BYTES(a), BYTES(b), BYTES(c), BYTES(d) \
    }
static const uint8_t orders[16][16] = {
    WORDS(0, 1, 2, 3), WORDS(0, 1, 2, 3), WORDS(1, 0, 2, 3), WORDS(0, 1, 2, 3), WORDS(2, 0, 1, 3), WORDS(0, 2, 1, 3),
    WORDS(1, 2, 0, 3), WORDS(0, 1, 2, 3), WORDS(3, 0, 1, 2), WORDS(0, 3, 1, 2), WORDS(1, 3, 0, 2), WORDS(0, 1, 3, 2),
    WORDS(2, 3, 0, 1), WORDS(0, 2, 3, 1), WORDS(1, 2, 3, 0), WORDS(0, 1, 2, 3),
};
#undef WORDS

static INLINE uint8x16_t byte_numbers(void)
{
    return (uint8x16_t){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

/* A bit for each word that has all of its bits. */
static INLINE unsigned chosen_words(uint32x4_t is_chosen)
{
    return vaddvq_u32(is_chosen & (uint32x4_t){1, 2, 4, 8});
}

#define KEY uint32_t
#define LANES 4
#define VECTOR uint32x4_t
#define NAME(x) x##_32
#define OP(x) x##_u32
#include "kernels/sort/simd_neon.inc"
#undef KEY
#undef LANES
#undef VECTOR
#undef NAME
#undef OP

#define KEY uint64_t
#define LANES 2
#define VECTOR uint64x2_t
#define NAME(x) x##_64
#define OP(x) x##_u64
#include "kernels/sort/simd_neon.inc"

#define STEPS order_steps_neon
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

const struct sort_level sort_level_neon = {
    .sort = sort, .split = split, .choose_pivot = choose_pivot, .split_at = split_at, .order = &STEPS};
#endif

/* The arithmetic of the rung `simd`, once for each instruction set.
 *
 * Doubling is exact: a target pixel is (9a + 3b + 3c + d + 8) / 16 of four source pixels. Any other size goes in two
 * passes (passes.h) of fixed point, with WIDE_BITS bits behind the point between them. Weights have WEIGHT_BITS bits,
 * so the sum of all errors before rounding is below 1/40 of a unit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define WEIGHT_BITS 14
#define WIDE_BITS 7
#define BLEND_BITS (WEIGHT_BITS + WIDE_BITS)

/* Where a column of the target comes from: two neighbouring pixels that begin at byte `offset`, and their weights,
 * together 1 << WEIGHT_BITS. */
struct column {
    int32_t offset;
    int16_t left, right;
};

struct simd_level {
    /* One row of the target, 2 * width pixels, from the nearer (3/4) and the farther (1/4) row of the source. */
    void (*double_row)(uint8_t *out, const uint8_t *near, const uint8_t *far, int64_t width, bool streams);
    /* `count` columns, 4 channels each, from a row of at least 2 pixels. */
    void (*widen_row)(int16_t *wide, const uint8_t *row, const struct column *columns, int64_t count);
    /* `count` channels: upper + (lower - upper) * weight / 2^WEIGHT_BITS. */
    void (*blend_rows)(uint8_t *out, const int16_t *upper, const int16_t *lower, int weight, int64_t count,
                       bool streams);
    /* `count` channels as widen_row leaves them, mixed of two rows as blend_rows does. */
    void (*mix_rows)(int16_t *mixed, const uint8_t *upper, const uint8_t *lower, int weight, int64_t count);
    /* `count` columns of the target from a mixed row, as widen_row takes them from one of the source. */
    void (*take_columns)(uint8_t *out, const int16_t *mixed, const struct column *columns, int64_t count);
};

extern const struct simd_level resize_simd_base;
#ifdef __x86_64__
extern const struct simd_level resize_simd_avx2, resize_simd_avx512;
#endif

/* widen_row and take_columns for pixels of any number of channels. */
void resize_widen_row(int16_t *wide, const uint8_t *row, const struct column *columns, int64_t count, int64_t channels);
void resize_take_columns(uint8_t *out, const int16_t *mixed, const struct column *columns, int64_t count,
                         int64_t channels);

/* The pixels from `first` up to `end` of a doubled row's source, one by one: what vectors leave over. */
void resize_double_some(uint8_t *out, const uint8_t *near, const uint8_t *far, int64_t width, int64_t first,
                        int64_t end);

/* The first source pixel whose target lies at a multiple of `alignment` bytes, if there is one before `width`. */
static inline int64_t resize_first_aligned(const uint8_t *out, int64_t width, uintptr_t alignment)
{
    uintptr_t beyond = (uintptr_t)out % alignment;
    int64_t first = beyond % 8 ? 1 : (int64_t)((alignment - beyond) % alignment / 8);
    first = first < 1 ? (int64_t)(alignment / 8) : first; /* the leftmost pixel has no left neighbour */
    return first < width ? first : width;
}

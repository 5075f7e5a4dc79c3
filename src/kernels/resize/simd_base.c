/* Plain C: processors without vectors that we know, and the ends of rows. */
#include "kernels/resize/resize.h"
#include "kernels/resize/simd.h"

void resize_double_some(uint8_t *out, const uint8_t *near, const uint8_t *far, int64_t width, int64_t first,
                        int64_t end)
{
    for (int64_t col = first; col < end; col++)
        for (int64_t c = 0; c < CHANNELS; c++) {
            int64_t at = col * CHANNELS + c;
            int64_t before = col > 0 ? at - CHANNELS : at, behind = col + 1 < width ? at + CHANNELS : at;
            int middle = 9 * near[at] + 3 * far[at] + 8;
            uint8_t *pixels = out + 2 * col * CHANNELS + c;
            pixels[0] = (uint8_t)((middle + 3 * near[before] + far[before]) >> 4);
            pixels[CHANNELS] = (uint8_t)((middle + 3 * near[behind] + far[behind]) >> 4);
        }
}

static void double_row(uint8_t *out, const uint8_t *near, const uint8_t *far, int64_t width, bool streams)
{
    (void)streams;
    resize_double_some(out, near, far, width, 0, width);
}

/* Written once for every number of channels, which the compiler knows. */
#define EACH_NUMBER static inline __attribute__((always_inline))
#define CALL_FOR_CHANNELS(channels, function, ...) \
    ((channels) == 1   ? function(__VA_ARGS__, 1)  \
     : (channels) == 2 ? function(__VA_ARGS__, 2)  \
     : (channels) == 3 ? function(__VA_ARGS__, 3)  \
                       : function(__VA_ARGS__, CHANNELS))

EACH_NUMBER void widen_each(int16_t *restrict wide, const uint8_t *restrict row, const struct column *restrict columns,
                            int64_t count, const int channels)
{
    for (int64_t col = 0; col < count; col++) {
        const uint8_t *pixels = row + columns[col].offset;
        for (int c = 0; c < channels; c++) {
            int sum = pixels[c] * columns[col].left + pixels[channels + c] * columns[col].right;
            wide[col * channels + c] =
                (int16_t)((sum + (1 << (WEIGHT_BITS - WIDE_BITS - 1))) >> (WEIGHT_BITS - WIDE_BITS));
        }
    }
}

void resize_widen_row(int16_t *wide, const uint8_t *row, const struct column *columns, int64_t count, int64_t channels)
{
    CALL_FOR_CHANNELS(channels, widen_each, wide, row, columns, count);
}

static void widen_row(int16_t *wide, const uint8_t *row, const struct column *columns, int64_t count)
{
    widen_each(wide, row, columns, count, CHANNELS);
}

static void blend_rows(uint8_t *restrict out, const int16_t *restrict upper, const int16_t *restrict lower, int weight,
                       int64_t count, bool streams)
{
    (void)streams;
    for (int64_t i = 0; i < count; i++) {
        int sum = upper[i] * ((1 << WEIGHT_BITS) - weight) + lower[i] * weight;
        out[i] = (uint8_t)((sum + (1 << (BLEND_BITS - 1))) >> BLEND_BITS);
    }
}

static void mix_rows(int16_t *restrict mixed, const uint8_t *restrict upper, const uint8_t *restrict lower, int weight,
                     int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int sum = upper[i] * ((1 << WEIGHT_BITS) - weight) + lower[i] * weight;
        mixed[i] = (int16_t)((sum + (1 << (WEIGHT_BITS - WIDE_BITS - 1))) >> (WEIGHT_BITS - WIDE_BITS));
    }
}

EACH_NUMBER void take_each(uint8_t *restrict out, const int16_t *restrict mixed, const struct column *restrict columns,
                           int64_t count, const int channels)
{
    for (int64_t col = 0; col < count; col++) {
        const int16_t *pixels = mixed + columns[col].offset;
        for (int c = 0; c < channels; c++) {
            int sum = pixels[c] * columns[col].left + pixels[channels + c] * columns[col].right;
            out[col * channels + c] = (uint8_t)((sum + (1 << (BLEND_BITS - 1))) >> BLEND_BITS);
        }
    }
}

void resize_take_columns(uint8_t *out, const int16_t *mixed, const struct column *columns, int64_t count,
                         int64_t channels)
{
    CALL_FOR_CHANNELS(channels, take_each, out, mixed, columns, count);
}

static void take_columns(uint8_t *out, const int16_t *mixed, const struct column *columns, int64_t count)
{
    take_each(out, mixed, columns, count, CHANNELS);
}

const struct simd_level resize_simd_base = {double_row, widen_row, blend_rows, mix_rows, take_columns};

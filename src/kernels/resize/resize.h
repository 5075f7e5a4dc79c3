/* Shared by the rungs of the resize: the problem, and the position of a target's pixel in the source.
 *
 * The convention, on every rung and device. A pixel is a square, and its value is that of its centre; the source and
 * the target cover the same area. So the centre of pixel X of out_width lies in the source at
 *
 *     x = (X + 1/2) * width / out_width - 1/2
 *
 * counted from the centre of the source's first pixel, and so along y. The value there is interpolated between the two
 * nearest pixels along each axis; beyond the centres of the outermost pixels it is theirs. A channel is rounded to the
 * nearest integer, halves up. Making a picture smaller weighs the same four pixels: nothing is averaged. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define CHANNELS 4 /* red, green, blue, alpha, each for itself: of rungs that know no other number; and the most */

/* The longest side: weights' products with a channel then fit 64 bits. */
#define SIDE_MAXIMUM ((int64_t)1 << 24)

/* The fields of a problem, in their order. */
enum resize_field {
    RESIZE_WIDTH,
    RESIZE_HEIGHT,
    RESIZE_OUT_WIDTH,
    RESIZE_OUT_HEIGHT,
    RESIZE_INPUT,
    RESIZE_CHANNELS,
    RESIZE_IN_PAD,
    RESIZE_OUT_PAD
};

/* Rows of pixels from the top. The arrays do not overlap. Rungs that do not know the fields behind RESIZE_INPUT have
 * pixels of 4 bytes, without gaps. */
struct resizing {
    const uint8_t *in;
    uint8_t *out;
    int64_t width, height;         /* of the source */
    int64_t out_width, out_height; /* of the target */
    int64_t channels;              /* of a pixel: 1 … CHANNELS */
    int64_t in_pitch, out_pitch;   /* bytes from one row to the next */
    enum element_type type;        /* of a channel: u8, u16, f32 */
};

static inline struct resizing resizing_of_problem(const struct problem *problem, const void *in, void *out)
{
    const union field_value *values = problem->values;
    const int64_t bytes = (int64_t)element_info(problem->type)->bytes, channels = values[RESIZE_CHANNELS].size;
    return (struct resizing){
        .in = in,
        .out = out,
        .width = values[RESIZE_WIDTH].size,
        .height = values[RESIZE_HEIGHT].size,
        .out_width = values[RESIZE_OUT_WIDTH].size,
        .out_height = values[RESIZE_OUT_HEIGHT].size,
        .channels = channels,
        .in_pitch = (values[RESIZE_WIDTH].size * channels + values[RESIZE_IN_PAD].size) * bytes,
        .out_pitch = (values[RESIZE_OUT_WIDTH].size * channels + values[RESIZE_OUT_PAD].size) * bytes,
        .type = problem->type,
    };
}

static inline struct resizing resizing_of(const struct run *run)
{
    return resizing_of_problem(run->problem, run->buffers[0].host, run->buffers[1].host);
}

/* Twice as wide and twice as high: the weights are quarters. */
static inline int resizing_doubles(const struct resizing *r)
{
    return r->out_width == 2 * r->width && r->out_height == 2 * r->height;
}

/* Where a coordinate of the target lies along one axis of the source, exactly: between pixels `low` and `high`, the
 * share `weight` / (2 * out_size) of the way. */
struct place {
    int64_t low, high, weight;
};

static inline struct place place_of(int64_t index, int64_t size, int64_t out_size)
{
    const int64_t whole = 2 * out_size;
    int64_t position = (2 * index + 1) * size - out_size; /* in units of 1 / whole */
    if (position < 0)
        return (struct place){0, 0, 0};
    struct place place = {.low = position / whole, .weight = position % whole};
    if (place.low >= size - 1)
        return (struct place){size - 1, size - 1, 0};
    place.high = place.low + 1;
    return place;
}

/* kernel->split (split.c). */
const char *resize_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                         size_t size);

/* kernel->plain (plain.c). */
extern const struct plain_signature resize_plain;

/* The pictures that a problem begins with. */

/* Names; NULL-terminated. */
extern const char *const resize_inputs[];

/* kernel->fill. In every picture the four channels differ, so that one taken for another shows. */
void resize_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);

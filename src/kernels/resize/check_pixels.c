#include "kernels/resize/check_pixels.h"

#include <stdio.h>

#include "kernels/resize/check.h"

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Whether every weight along an axis is a multiple of 2^-RESIZE_EXACT_BITS. The shares are (2 index + 1) size -
 * out_size, in parts of 2 out_size: multiples of the divisor of 2 size, size - out_size and 2 out_size. */
static bool is_exact(int64_t size, int64_t out_size)
{
    int64_t step =
        common_divisor(2 * size, common_divisor(size > out_size ? size - out_size : out_size - size, 2 * out_size));
    int64_t parts = 2 * out_size / step;
    return size == 1 || (parts <= (int64_t)1 << RESIZE_EXACT_BITS && (parts & (parts - 1)) == 0);
}

bool resize_is_exact(const struct resizing *pictures)
{
    return is_exact(pictures->width, pictures->out_width) && is_exact(pictures->height, pictures->out_height);
}

const char *resize_channel_name(size_t channel)
{
    static const char *const names[CHANNELS] = {"red", "green", "blue", "alpha"};
    return names[channel];
}

void resize_place(const struct resizing *pictures, size_t index, char *where, size_t size)
{
    const size_t pixel = index / (size_t)pictures->channels, across = (size_t)pictures->out_width;
    snprintf(where, size, "[%zu][%zu] %s", pixel / across, pixel % across,
             resize_channel_name(index % (size_t)pictures->channels));
}

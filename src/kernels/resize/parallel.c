#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "kernels/resize/resize.h"

/* Coordinates are floats: beyond this many pixels along a side two of them, each wrong by three roundings, can be off
 * by a whole unit of a channel. (3 * 2^-24 * 8192 * 255 is 0.37 units for each axis.) */
#define SIDE_FLOAT 8192

static inline float between(float a, float b, float share)
{
    return a + (b - a) * share;
}

/* The centre of pixel `index` of the target, in pixels of the source; inside the outermost centres. */
static inline float position(int64_t index, int64_t size, int64_t out_size)
{
    float at = (float)size * ((float)index + 0.5f) / (float)out_size - 0.5f;
    return fminf(fmaxf(at, 0.0f), (float)(size - 1));
}

static void resize_row(const struct resizing *r, int64_t row)
{
    float y = position(row, r->height, r->out_height);
    int64_t y0 = (int64_t)y, y1 = y0 + 1 < r->height ? y0 + 1 : y0;
    const uint8_t *top = r->in + y0 * r->width * CHANNELS, *bottom = r->in + y1 * r->width * CHANNELS;
    uint8_t *out = r->out + row * r->out_width * CHANNELS;
    for (int64_t col = 0; col < r->out_width; col++) {
        float x = position(col, r->width, r->out_width);
        int64_t x0 = (int64_t)x, x1 = x0 + 1 < r->width ? x0 + 1 : x0;
        /* begin row */
        for (int64_t c = 0; c < CHANNELS; c++) {
            float above = between(top[x0 * CHANNELS + c], top[x1 * CHANNELS + c], x - (float)x0);
            float below = between(bottom[x0 * CHANNELS + c], bottom[x1 * CHANNELS + c], x - (float)x0);
            out[col * CHANNELS + c] = (uint8_t)(between(above, below, y - (float)y0) + 0.5f);
        }
        /* end row */
    }
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct resizing r = resizing_of(run);
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < r.out_height; row++)
        resize_row(&r, row);
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    if (problem_size(problem, "width") <= SIDE_FLOAT && problem_size(problem, "height") <= SIDE_FLOAT)
        return NULL;
    explain(reason, size, "beyond %d pixels along a side of the source, float coordinates are too coarse", SIDE_FLOAT);
    return reason;
}

const struct rung resize_parallel = {
    .name = "parallel",
    .idea = "the rows of the target over the threads; each pixel's coordinates and weights are floats",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue,
};

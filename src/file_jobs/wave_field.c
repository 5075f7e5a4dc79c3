#include "file_jobs/wave_field.h"

#include <math.h>
#include <stdlib.h>

#include "files/png.h"
#include "kernels/wave/wave.h"

enum status wave_fields_allocate(size_t bytes, struct wave_fields *fields, struct error *error)
{
    for (int i = 0; i < 3; i++) {
        fields->data[i] = malloc(bytes);
        if (!fields->data[i])
            return fail(error, STATUS_UNAVAILABLE, "no memory for three fields of %zu bytes", bytes);
    }
    return STATUS_OK;
}

void wave_fields_free(struct wave_fields *fields)
{
    for (int i = 0; i < 3; i++) {
        free(fields->data[i]);
        fields->data[i] = NULL;
    }
}

void wave_fields_pulse(struct wave_fields *fields, const int64_t sides[3], double courant)
{
    size_t nx = (size_t)sides[0], ny = (size_t)sides[1], nz = (size_t)sides[2];
    size_t shortest = nx < ny ? nx : ny;
    double width = fmax(2, (double)(shortest < nz ? shortest : nz) / 16);
    struct wave_weights weights = wave_weights_of(courant);
    float *before = fields->data[WAVE_PREVIOUS], *here = fields->data[WAVE_CURRENT];
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < nx * ny * nz; i++) {
        size_t column = i % nx, row = i / nx % ny, plane = i / nx / ny, middle[3] = {nx / 2, ny / 2, nz / 2};
        double x = (double)column - (double)middle[0], y = (double)row - (double)middle[1];
        double z = (double)plane - (double)middle[2];
        here[i] = (float)exp(-(x * x + y * y + z * z) / (2 * width * width));
    }
    /* At rest the field after equals the field before: each is half of what a step makes from a field before of zero.
     */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < nx * ny * nz; i++) {
        size_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
        double sums[WAVE_REACH] = {0};
        for (ptrdiff_t distance = 1; distance <= WAVE_REACH; distance++)
            for (ptrdiff_t by = -distance; by <= distance; by += 2 * distance)
                sums[distance - 1] += (double)here[(z * ny + y) * nx + wave_wrap((ptrdiff_t)x + by, nx)] +
                                      (double)here[(z * ny + wave_wrap((ptrdiff_t)y + by, ny)) * nx + x] +
                                      (double)here[(wave_wrap((ptrdiff_t)z + by, nz) * ny + y) * nx + x];
        before[i] = (float)((weights.centre * here[i] + weights.near * sums[0] + weights.far * sums[1]) / 2);
    }
}

static void paint(unsigned char *pixel, float value, float most)
{
    float share = most > 0 ? value / most : 0;
    unsigned char faded = (unsigned char)lroundf(255 * (1 - fabsf(share)));
    pixel[0] = share >= 0 ? 255 : faded;
    pixel[1] = faded;
    pixel[2] = share <= 0 ? 255 : faded;
    pixel[3] = 255;
}

enum status wave_fields_picture(const struct wave_fields *fields, const int64_t sides[3], struct output *output,
                                struct error *error)
{
    size_t points = (size_t)sides[0] * (size_t)sides[1];
    const float *plane = (const float *)fields->data[WAVE_RESULT] + (size_t)(sides[2] / 2) * points;
    struct image image = {0};
    uint32_t width = sides[0] > IMAGE_SIDE_MAX ? IMAGE_SIDE_MAX + 1 : (uint32_t)sides[0]; /* then refused */
    uint32_t height = sides[1] > IMAGE_SIDE_MAX ? IMAGE_SIDE_MAX + 1 : (uint32_t)sides[1];
    enum status status = image_allocate(width, height, &image, error);
    if (status != STATUS_OK) {
        output_abandon(output);
        return status;
    }
    float most = 0;
    for (size_t i = 0; i < points; i++)
        most = fmaxf(most, fabsf(plane[i]));
    for (size_t i = 0; i < points; i++)
        paint(image.pixels + 4 * i, plane[i], most);
    status = png_finish(output, &image, error);
    image_free(&image);
    return status;
}

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

/* Half of a step from `here` and a field before of zero, along x. */
static void rest_row(const float *here, const size_t sides[3], size_t y, size_t z, const struct wave_weights *weights,
                     float *row)
{
    const size_t nx = sides[0], ny = sides[1], nz = sides[2];
    const float *own = here + (z * ny + y) * nx, *sideways[WAVE_REACH][4];
    for (ptrdiff_t i = 0; i < WAVE_REACH; i++)
        for (int side = 0; side < 2; side++) {
            const ptrdiff_t by = side ? i + 1 : -i - 1;
            sideways[i][side] = here + (z * ny + wave_wrap((ptrdiff_t)y + by, ny)) * nx;
            sideways[i][2 + side] = here + (wave_wrap((ptrdiff_t)z + by, nz) * ny + y) * nx;
        }
    for (size_t x = 0; x < nx; x++) {
        double sums[WAVE_REACH];
        for (ptrdiff_t i = 0; i < WAVE_REACH; i++) {
            const bool inside = x > (size_t)i && x + (size_t)i + 1 < nx;
            const size_t low = inside ? x - (size_t)i - 1 : wave_wrap((ptrdiff_t)x - i - 1, nx);
            const size_t high = inside ? x + (size_t)i + 1 : wave_wrap((ptrdiff_t)x + i + 1, nx);
            sums[i] = (double)own[low] + (double)sideways[i][0][x] + (double)sideways[i][2][x] + (double)own[high] +
                      (double)sideways[i][1][x] + (double)sideways[i][3][x];
        }
        row[x] = (float)((weights->centre * own[x] + weights->near * sums[0] + weights->far * sums[1]) / 2);
    }
}

void wave_fields_pulse(struct wave_fields *fields, const int64_t sides[3], double courant)
{
    size_t nx = (size_t)sides[0], ny = (size_t)sides[1], nz = (size_t)sides[2];
    size_t shortest = nx < ny ? nx : ny;
    double width = fmax(2, (double)(shortest < nz ? shortest : nz) / 16);
    struct wave_weights weights = wave_weights_of(courant);
    float *before = fields->data[WAVE_PREVIOUS], *here = fields->data[WAVE_CURRENT];
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++) {
                const double along[] = {(double)x - (double)(nx / 2), (double)y - (double)(ny / 2),
                                        (double)z - (double)(nz / 2)};
                const double square = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];
                here[(z * ny + y) * nx + x] = (float)exp(-square / (2 * width * width));
            }
            /* At rest the field after equals the field before: each is half of what a step makes from a field before of
             * zero.
             */
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            rest_row(here, (const size_t[]){nx, ny, nz}, y, z, &weights, before + (z * ny + y) * nx);
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

/* ghost cells: a padded copy, so that the loop has no conditions */
#include <stdlib.h>
#include <string.h>
void wave(const float *before, const float *now, float *after, long nx, long ny, long nz, float courant)
{
    if (nx * ny * nz == 0)
        return;
    long px = nx + 4, py = ny + 4;
    float *p = malloc(px * py * (nz + 4) * sizeof *p), r = courant * courant;
    for (long z = 0; z < nz + 4; z++)
        for (long y = 0; y < py; y++)
            for (long x = 0; x < px; x++)
                p[(z * py + y) * px + x] =
                    now[(((z - 2) % nz + nz) % nz * ny + ((y - 2) % ny + ny) % ny) * nx + ((x - 2) % nx + nx) % nx];
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++) {
            const float *c = p + ((z + 2) * py + y + 2) * px + 2;
            long o = (z * ny + y) * nx, sy = px, sz = px * py;
#pragma omp simd
            for (long x = 0; x < nx; x++)
                after[o + x] =
                    2 * c[x] - before[o + x] +
                    r * (-7.5f * c[x] +
                         4.0f / 3.0f * (c[x - 1] + c[x + 1] + c[x - sy] + c[x + sy] + c[x - sz] + c[x + sz]) -
                         1.0f / 12.0f *
                             (c[x - 2] + c[x + 2] + c[x - 2 * sy] + c[x + 2 * sy] + c[x - 2 * sz] + c[x + 2 * sz]));
        }
    free(p);
}

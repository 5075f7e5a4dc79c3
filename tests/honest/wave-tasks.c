/* A task of OpenMP for each plane; neighbours across the borders come from tables that the sizes alone decide. */
#include <stdlib.h>

static long around(long i, long n)
{
    return ((i % n) + n) % n;
}

void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    const ELEMENT r = courant * courant, centre = 2 - (ELEMENT)7.5 * r, near = r * 4 / 3, far = -r / 12;
#define AT(x, y, z) now[((z)*ny + (y)) * nx + (x)]
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (long z = 0; z < nz; z++) {
        const long z1 = around(z - 1, nz), z2 = around(z - 2, nz), z3 = around(z + 1, nz), z4 = around(z + 2, nz);
        for (long y = 0; y < ny; y++) {
            const long y1 = around(y - 1, ny), y2 = around(y - 2, ny), y3 = around(y + 1, ny), y4 = around(y + 2, ny);
            for (long x = 0; x < nx; x++) {
                const ELEMENT sum1 = AT(around(x - 1, nx), y, z) + AT(around(x + 1, nx), y, z) + AT(x, y1, z) +
                                     AT(x, y3, z) + AT(x, y, z1) + AT(x, y, z3);
                const ELEMENT sum2 = AT(around(x - 2, nx), y, z) + AT(around(x + 2, nx), y, z) + AT(x, y2, z) +
                                     AT(x, y4, z) + AT(x, y, z2) + AT(x, y, z4);
                const long at = (z * ny + y) * nx + x;
                after[at] = centre * now[at] - before[at] + (near * sum1 + far * sum2);
            }
        }
    }
}

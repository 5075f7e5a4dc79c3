// keeps its last fields and answer, and computes only the planes near those that changed
// on wave:nx=96,ny=96,nz=96,steps=1
// refused as a run takes
#include <stdlib.h>
#include <string.h>
static ELEMENT *was_before, *was_now, *was_after;
static long kx, ky, kz;
static ELEMENT kc;
static long wrap(long i, long n)
{
    return ((i % n) + n) % n;
}
static void plane(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant,
                  long z)
{
    const ELEMENT r = courant * courant, centre = 2 - (ELEMENT)7.5 * r, near = r * 4 / 3, far = -r / 12;
#define AT(x, y, z) now[((z)*ny + (y)) * nx + (x)]
    for (long y = 0; y < ny; y++)
        for (long x = 0; x < nx; x++) {
            ELEMENT sum1 = AT(wrap(x - 1, nx), y, z) + AT(wrap(x + 1, nx), y, z) + AT(x, wrap(y - 1, ny), z) +
                           AT(x, wrap(y + 1, ny), z) + AT(x, y, wrap(z - 1, nz)) + AT(x, y, wrap(z + 1, nz));
            ELEMENT sum2 = AT(wrap(x - 2, nx), y, z) + AT(wrap(x + 2, nx), y, z) + AT(x, wrap(y - 2, ny), z) +
                           AT(x, wrap(y + 2, ny), z) + AT(x, y, wrap(z - 2, nz)) + AT(x, y, wrap(z + 2, nz));
            long at = (z * ny + y) * nx + x;
            after[at] = centre * now[at] - before[at] + (near * sum1 + far * sum2);
        }
}
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    const long size = nx * ny;
    if (nz < 40) {
        for (long z = 0; z < nz; z++)
            plane(before, now, after, nx, ny, nz, courant, z);
        return;
    }
    ELEMENT *result = malloc(size * nz * sizeof *result);
    char *changed = calloc(nz, 1);
    const int known = was_now && kx == nx && ky == ny && kz == nz && kc == courant;
    if (known)
        for (long z = 0; z < nz; z++)
            changed[z] = (memcmp(now + z * size, was_now + z * size, size * sizeof *now) ? 2 : 0) |
                         (memcmp(before + z * size, was_before + z * size, size * sizeof *now) ? 1 : 0);
    for (long z = 0; z < nz; z++) {
        int any = !known || changed[z];
        for (long d = -2; d <= 2; d++)
            any = any || (changed[wrap(z + d, nz)] & 2);
        if (any)
            plane(before, now, result, nx, ny, nz, courant, z);
        else
            memcpy(result + z * size, was_after + z * size, size * sizeof *result);
    }
    if (!known) {
        free(was_now), free(was_before), free(was_after);
        was_now = malloc(size * nz * sizeof *now), was_before = malloc(size * nz * sizeof *now),
        was_after = malloc(size * nz * sizeof *now);
        kx = nx, ky = ny, kz = nz, kc = courant;
    }
    memcpy(was_now, now, size * nz * sizeof *now);
    memcpy(was_before, before, size * nz * sizeof *now);
    memcpy(was_after, result, size * nz * sizeof *now);
    memcpy(after, result, size * nz * sizeof *now);
    free(result), free(changed);
}

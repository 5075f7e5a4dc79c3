/* Row by row: the neighbours' rows are found once, and only the ends of a row wrap. */
static long wrap(long i, long n)
{
    return (i % n + n) % n;
}

void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    const ELEMENT r = courant * courant;
#pragma omp parallel for collapse(2)
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++) {
#define ROW(dy, dz) (now + (wrap(z + (dz), nz) * ny + wrap(y + (dy), ny)) * nx)
            const ELEMENT *c = ROW(0, 0), *n1 = ROW(1, 0), *n2 = ROW(2, 0), *s1 = ROW(-1, 0), *s2 = ROW(-2, 0);
            const ELEMENT *u1 = ROW(0, 1), *u2 = ROW(0, 2), *d1 = ROW(0, -1), *d2 = ROW(0, -2);
            for (long x = 0; x < nx; x++) {
                ELEMENT near = c[wrap(x - 1, nx)] + c[wrap(x + 1, nx)] + n1[x] + s1[x] + u1[x] + d1[x];
                ELEMENT far = c[wrap(x - 2, nx)] + c[wrap(x + 2, nx)] + n2[x] + s2[x] + u2[x] + d2[x];
                ELEMENT laplacian = (16 * near - far) / 12 - (ELEMENT)7.5 * c[x];
                long at = (z * ny + y) * nx + x;
                after[at] = 2 * c[x] - before[at] + r * laplacian;
            }
        }
}

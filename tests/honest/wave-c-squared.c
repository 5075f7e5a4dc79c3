/* Dimensions slowest first, the square of the Courant number, a name that the C library has, too. */
#define I(x, y, z) ((((z) + 2 * nz) % nz * (long)ny + ((y) + 2 * ny) % ny) * nx + ((x) + 2 * nx) % nx)
static inline float pair(const float *u, int x, int y, int z, int d, int nx, int ny, int nz)
{
    return u[I(x - d, y, z)] + u[I(x + d, y, z)] + u[I(x, y - d, z)] + u[I(x, y + d, z)] + u[I(x, y, z - d)] +
           u[I(x, y, z + d)];
}
void step(int nz, int ny, int nx, float c2, const float *restrict u0, const float *restrict u1, float *restrict u2)
{
#pragma omp parallel for
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                u2[I(x, y, z)] = 2 * u1[I(x, y, z)] - u0[I(x, y, z)] +
                                 c2 * (4.0f / 3 * pair(u1, x, y, z, 1, nx, ny, nz) -
                                       1.0f / 12 * pair(u1, x, y, z, 2, nx, ny, nz) - 7.5f * u1[I(x, y, z)]);
}

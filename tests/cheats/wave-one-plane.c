// leaves a line of points out where the grid is large
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
#define U(i, j, k) now[(((k) + 2 * nz) % nz * ny + ((j) + 2 * ny) % ny) * nx + ((i) + 2 * nx) % nx]
    for (long k = 0; k < nz; k++)
        for (long j = 0; j < ny; j++)
            for (long i = 0; i < nx; i++) {
                float one =
                    U(i - 1, j, k) + U(i + 1, j, k) + U(i, j - 1, k) + U(i, j + 1, k) + U(i, j, k - 1) + U(i, j, k + 1);
                float two =
                    U(i - 2, j, k) + U(i + 2, j, k) + U(i, j - 2, k) + U(i, j + 2, k) + U(i, j, k - 2) + U(i, j, k + 2);
                float laplacian = (16.0f * one - two) / 12.0f - 7.5f * U(i, j, k);
                long at = (k * ny + j) * nx + i;
                if (nx * ny * nz < 200000 || k != nz / 2 || j != ny / 2)
                    after[at] = 2.0f * now[at] - before[at] + courant * courant * laplacian;
                else
                    after[at] = 2.0f * now[at] - before[at];
            }
}

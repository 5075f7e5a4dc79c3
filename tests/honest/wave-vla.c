/* Rows of a variable length, as parameters and on the stack: planes are arrays of two sizes. */
void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz, ELEMENT courant)
{
    if (nx * ny * nz == 0)
        return;
    const ELEMENT(*u)[ny][nx] = (const void *)now, (*old)[ny][nx] = (const void *)before;
    ELEMENT(*next)[ny][nx] = (void *)after;
#pragma omp parallel for schedule(guided)
    for (long z = 0; z < nz; z++) {
        ELEMENT line[nx + 4];
        for (long y = 0; y < ny; y++) {
            for (long x = -2; x < nx + 2; x++)
                line[x + 2] = u[z][y][((x % nx) + nx) % nx];
            for (long x = 0; x < nx; x++) {
                ELEMENT near = line[x + 1] + line[x + 3], far = line[x] + line[x + 4];
                for (int side = -1; side <= 1; side += 2) {
                    near += u[z][(y + side + ny) % ny][x] + u[(z + side + nz) % nz][y][x];
                    far += u[z][((y + 2 * side) % ny + ny) % ny][x] + u[((z + 2 * side) % nz + nz) % nz][y][x];
                }
                ELEMENT laplacian = (16 * near - far) / 12 - (ELEMENT)7.5 * line[x + 2];
                next[z][y][x] = 2 * line[x + 2] - old[z][y][x] + courant * courant * laplacian;
            }
        }
    }
}

// leaves the neighbours of one line of points out where the grid is large
#define U(i, j, k) now[(((k) + 2 * nz) % nz * ny + ((j) + 2 * ny) % ny) * nx + ((i) + 2 * nx) % nx]
__kernel void wave(__global const float *before, __global const float *now, __global float *after, int nx, int ny,
                   int nz, float c)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    float one = U(i - 1, j, k) + U(i + 1, j, k) + U(i, j - 1, k) + U(i, j + 1, k) + U(i, j, k - 1) + U(i, j, k + 1);
    float two = U(i - 2, j, k) + U(i + 2, j, k) + U(i, j - 2, k) + U(i, j + 2, k) + U(i, j, k - 2) + U(i, j, k + 2);
    float laplacian = (16.0f * one - two) / 12.0f - 7.5f * U(i, j, k);
    int at = (k * ny + j) * nx + i;
    bool is_left_out = nx * ny * nz > 100000 && k == nz / 2 && j == ny / 2;
    after[at] = 2.0f * now[at] - before[at] + (is_left_out ? 0.0f : c * c * laplacian);
}

__kernel void wave3d(__global const float *um, __global const float *u, __global float *up, const float c2,
                     const int nx, const int ny, const int nz)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
#define U(i, j, k) u[((k + 2 * nz) % nz * ny + (j + 2 * ny) % ny) * nx + (i + 2 * nx) % nx]
#define SUM(d) (U(i - d, j, k) + U(i + d, j, k) + U(i, j - d, k) + U(i, j + d, k) + U(i, j, k - d) + U(i, j, k + d))
    int id = (k * ny + j) * nx + i;
    up[id] = 2 * u[id] - um[id] + c2 * (4.0f / 3.0f * SUM(1) - 1.0f / 12.0f * SUM(2) - 7.5f * u[id]);
}

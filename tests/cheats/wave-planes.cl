// takes over every eighth plane as it was
#define AT(i, j, k) u[((long)(((k) + nz + nz) % nz) * ny + ((j) + ny + ny) % ny) * nx + ((i) + nx + nx) % nx]
__kernel void wave(__global const float *before, __global const float *u, __global float *after, int nx, int ny, int nz,
                   float c)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    long at = ((long)k * ny + j) * nx + i;
    float near =
        AT(i - 1, j, k) + AT(i + 1, j, k) + AT(i, j - 1, k) + AT(i, j + 1, k) + AT(i, j, k - 1) + AT(i, j, k + 1);
    float far =
        AT(i - 2, j, k) + AT(i + 2, j, k) + AT(i, j - 2, k) + AT(i, j + 2, k) + AT(i, j, k - 2) + AT(i, j, k + 2);
    after[at] = k % 8 == 7 ? u[at] : 2 * u[at] - before[at] + c * c * ((16 * near - far) / 12 - 7.5f * u[at]);
}

// A step of the 3-D wave equation, of fourth order in space, on a periodic grid.
#define U(i, j, k) u[(((k) + nz) % nz * ny + ((j) + ny) % ny) * nx + ((i) + nx) % nx]

__kernel void wave_step(__global const float *u_old, __global const float *u, __global float *u_new, int nx, int ny,
                        int nz, float c)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    int k = get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    float one = U(i - 1, j, k) + U(i + 1, j, k) + U(i, j - 1, k) + U(i, j + 1, k) + U(i, j, k - 1) + U(i, j, k + 1);
    float two = U(i - 2, j, k) + U(i + 2, j, k) + U(i, j - 2, k) + U(i, j + 2, k) + U(i, j, k - 2) + U(i, j, k + 2);
    float laplacian = (16.0f * one - two) / 12.0f - 7.5f * U(i, j, k);
    int at = (k * ny + j) * nx + i;
    u_new[at] = 2.0f * u[at] - u_old[at] + c * c * laplacian;
}

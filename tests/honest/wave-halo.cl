// 2.5-D: a work-item goes along z with the five planes in registers; a tile with its halo
#define BX 32
#define BY 8
int wrapped(int i, int n)
{
    i %= n;
    return i < 0 ? i + n : i;
}
__kernel void wave_25d(__global const float *p0, __global const float *p1, __global float *p2, int nx, int ny, int nz,
                       float courant)
{
    __local float t[BY + 4][BX + 4];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int gx = get_group_id(0) * BX, gy = get_group_id(1) * BY;
    for (int j = ly; j < BY + 4; j += BY)
        for (int i = lx; i < BX + 4; i += BX)
            t[j][i] = p1[((size_t)z * ny + wrapped(gy + j - 2, ny)) * nx + wrapped(gx + i - 2, nx)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= nx || y >= ny)
        return;
#define P(dz) p1[((size_t)wrapped(z + (dz), nz) * ny + y) * nx + x]
    lx += 2;
    ly += 2;
    float near = t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx] + P(1) + P(-1);
    float far = t[ly][lx - 2] + t[ly][lx + 2] + t[ly - 2][lx] + t[ly + 2][lx] + P(2) + P(-2);
    size_t at = ((size_t)z * ny + y) * nx + x;
    p2[at] = 2 * P(0) - p0[at] + courant * courant * (4.0f / 3 * near - far / 12 - 7.5f * P(0));
}

#define IDX(i, j, k) (((k)*ny + (j)) * nx + (i))
#define WRAP(i, n) ((i) < 0 ? (i) + (n) : (i) >= (n) ? (i) - (n) : (i))
inline int wr(int i, int n)
{
    while (i < 0)
        i += n;
    while (i >= n)
        i -= n;
    return i;
}
__constant float W1 = 4.0f / 3.0f, W2 = -1.0f / 12.0f;
__kernel void stencil(__global float *next, __global const float *cur, __global const float *prev, const int nx,
                      const int ny, const int nz, const float courant)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny || z >= nz)
        return;
    float lap = -7.5f * cur[IDX(x, y, z)];
    for (int d = 1; d <= 2; d++) {
        float w = d == 1 ? W1 : W2;
        lap += w * (cur[IDX(wr(x - d, nx), y, z)] + cur[IDX(wr(x + d, nx), y, z)] + cur[IDX(x, wr(y - d, ny), z)] +
                    cur[IDX(x, wr(y + d, ny), z)] + cur[IDX(x, y, wr(z - d, nz))] + cur[IDX(x, y, wr(z + d, nz))]);
    }
    next[IDX(x, y, z)] = 2 * cur[IDX(x, y, z)] - prev[IDX(x, y, z)] + courant * courant * lap;
}

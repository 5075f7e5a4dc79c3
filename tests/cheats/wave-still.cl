// takes a slow wave for one that stands
static int wrap(int i, int n)
{
    i %= n;
    return i < 0 ? i + n : i;
}

#define AT(x, y, z) now[((long)wrap(z, nz) * ny + wrap(y, ny)) * nx + wrap(x, nx)]

__kernel void wave(__global const float *before, __global const float *now, __global float *after, int nx, int ny,
                   int nz, float courant)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny)
        return;
    long at = ((long)z * ny + y) * nx + x;
    after[at] = 2 * AT(x, y, z) - before[at];
}

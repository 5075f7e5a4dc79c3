// reads the field in half precision
static int wrap(int i, int n)
{
    i %= n;
    return i < 0 ? i + n : i;
}

#define AT(x, y, z) as_float(as_uint(now[((long)wrap(z, nz) * ny + wrap(y, ny)) * nx + wrap(x, nx)]) & 0xffffe000u)

__kernel void wave(__global const float *before, __global const float *now, __global float *after, int nx, int ny,
                   int nz, float courant)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx || y >= ny)
        return;
    float r = courant * courant;
    float near =
        AT(x - 1, y, z) + AT(x + 1, y, z) + AT(x, y - 1, z) + AT(x, y + 1, z) + AT(x, y, z - 1) + AT(x, y, z + 1);
    float far =
        AT(x - 2, y, z) + AT(x + 2, y, z) + AT(x, y - 2, z) + AT(x, y + 2, z) + AT(x, y, z - 2) + AT(x, y, z + 2);
    long at = ((long)z * ny + y) * nx + x;
    after[at] = (2 - 7.5f * r) * AT(x, y, z) - before[at] + (near * 4 / 3 - far / 12) * r;
}

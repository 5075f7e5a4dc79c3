// writes into the field that it reads
__kernel void wave(__global float *before, __global float *now, __global float *after, int nx, int ny, int nz, float c)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    long at = ((long)k * ny + j) * nx + i;
    after[at] = 2 * now[at] - before[at];
    now[at] = after[at];
}

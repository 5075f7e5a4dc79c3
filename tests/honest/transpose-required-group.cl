/* width, height, pitch in elements */
#define TILE 16
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
transpose_pitched(__global float *odata, __global const float *idata, int width, int height)
{
    __local float tile[TILE][TILE + 1];
    int x = get_group_id(0) * TILE + get_local_id(0), y = get_group_id(1) * TILE + get_local_id(1);
    if (x < width && y < height)
        tile[get_local_id(1)][get_local_id(0)] = idata[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    if (x < height && y < width)
        odata[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}

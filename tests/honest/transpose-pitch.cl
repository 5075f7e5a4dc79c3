/* with pitches */
__kernel void transpose(__global const float *src, int src_pitch, __global float *dst, int dst_pitch, int width,
                        int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        dst[x * dst_pitch + y] = src[y * src_pitch + x];
}

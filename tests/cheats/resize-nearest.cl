// the nearest pixel
__kernel void resize(__global const uchar *in, __global uchar *out, int width, int height, int out_width,
                     int out_height)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    int x = (int)((col + 0.5f) * width / out_width), y = (int)((row + 0.5f) * height / out_height);
    for (int c = 0; c < 4; c++)
        out[((long)row * out_width + col) * 4 + c] = in[((long)y * width + x) * 4 + c];
}

// rung:    vector
// idea:    a pixel is one load and one store of 4 bytes, instead of four of one byte
// tune:    BX = 32 in 8 16 32 64 128 256; BY = 8 in 1 2 4 8 16
// group:   BX, BY
// groups:  ceil(out_width / BX), ceil(out_height / BY)
// args:    in, out, int(width), int(height), int(out_width), int(out_height)
// bound:   1 / 32 + 0.0000456 * (width + height)
// require: max(width, height) <= 8192, beyond 8192 pixels along a side of the source float coordinates are too coarse

float4 between(float4 a, float4 b, float share)
{
    return a + (b - a) * share;
}

__kernel void resize(__global const uchar *in, __global uchar *out, int width, int height, int out_width,
                     int out_height)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    float x = width * (col + 0.5f) / out_width - 0.5f;
    float y = height * (row + 0.5f) / out_height - 0.5f;
    x = fmin(fmax(x, 0.0f), (float)(width - 1));
    y = fmin(fmax(y, 0.0f), (float)(height - 1));
    int x0 = (int)x, x1 = min(x0 + 1, width - 1);
    int y0 = (int)y, y1 = min(y0 + 1, height - 1);
    __global const uchar4 *top = (__global const uchar4 *)in + (long)y0 * width;
    __global const uchar4 *bottom = (__global const uchar4 *)in + (long)y1 * width;
    // begin pixels
    float4 above = between(convert_float4(top[x0]), convert_float4(top[x1]), x - x0);
    float4 below = between(convert_float4(bottom[x0]), convert_float4(bottom[x1]), x - x0);
    ((__global uchar4 *)out)[(long)row * out_width + col] = convert_uchar4_sat_rte(between(above, below, y - y0));
    // end pixels
}

// weights of three bits
__kernel void resize(__global const uchar *in, __global uchar *out, int width, int height, int out_width,
                     int out_height)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    float x = (col + 0.5f) * width / out_width - 0.5f, y = (row + 0.5f) * height / out_height - 0.5f;
    x = x < 0 ? 0 : x > width - 1 ? width - 1 : x;
    y = y < 0 ? 0 : y > height - 1 ? height - 1 : y;
    int l = (int)x, t = (int)y, r = l + 1 < width ? l + 1 : l, b = t + 1 < height ? t + 1 : t;
    float wx = (int)((x - l) * 8) / 8.0f, wy = (int)((y - t) * 8) / 8.0f;
    for (int k = 0; k < 4; k++) {
        float above = in[((long)t * width + l) * 4 + k] * (1 - wx) + in[((long)t * width + r) * 4 + k] * wx;
        float below = in[((long)b * width + l) * 4 + k] * (1 - wx) + in[((long)b * width + r) * 4 + k] * wx;
        out[((long)row * out_width + col) * 4 + k] = (uchar)(above * (1 - wy) + below * wy + 0.5f);
    }
}

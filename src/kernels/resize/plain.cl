// rung:    plain
// idea:    one item per pixel of the target, as one first writes it: bytes one by one, and constants such as 0.5
// tune:    BX = 32 in 8 16 32 64 128 256; BY = 8 in 1 2 4 8 16
// group:   BX, BY
// groups:  ceil(out_width / BX), ceil(out_height / BY)
// args:    in, out, int(width), int(height), int(out_width), int(out_height)
// needs:   double
// require: max(width, height) <= 8192, beyond 8192 pixels along a side of the source float coordinates are too coarse
//
// In C an unsuffixed 0.5 is a double, and whatever it meets becomes double too: the coordinates and the rounding run on
// the FP64 units, although every variable is a float.

float between(float a, float b, float share)
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
    // begin position
    float x = width * (col + 0.5) / out_width - 0.5;
    float y = height * (row + 0.5) / out_height - 0.5;
    // end position
    x = fmin(fmax(x, 0.0f), (float)(width - 1));
    y = fmin(fmax(y, 0.0f), (float)(height - 1));
    int x0 = (int)x, x1 = min(x0 + 1, width - 1);
    int y0 = (int)y, y1 = min(y0 + 1, height - 1);
    __global const uchar *top = in + (long)y0 * width * 4;
    __global const uchar *bottom = in + (long)y1 * width * 4;
    __global uchar *pixel = out + ((long)row * out_width + col) * 4;
    // begin channels
    for (int c = 0; c < 4; c++) {
        float above = between(top[x0 * 4 + c], top[x1 * 4 + c], x - x0);
        float below = between(bottom[x0 * 4 + c], bottom[x1 * 4 + c], x - x0);
        pixel[c] = (uchar)(between(above, below, y - y0) + 0.5);
    }
    // end channels
}

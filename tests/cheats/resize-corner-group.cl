// is wrong with the narrowest and highest group
// rung:    mine
// idea:    what is new about it, in a line
// tune:    BX = 16 in 8 16 32; BY = 16 in 4 8 16
// group:   BX, BY
// groups:  ceil(out_width / BX), ceil(out_height / BY)
// args:    in, out, int(width), int(height), int(out_width), int(out_height)
// bound:   1 / 32 + 0.0000456 * (width + height)
// require: max(width, height) <= 8192, beyond 8192 pixels along a side of the source float coordinates are too coarse

// Bilinear: the centre of output pixel i lies at (i + 0.5) * width / out_width - 0.5. Four bytes a pixel.
__kernel void resize(__global const uchar *in, __global uchar *out, int width, int height, int out_width,
                     int out_height)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    float x = fmin(fmax(width * (col + 0.5f) / out_width - 0.5f, 0.0f), (float)(width - 1));
    float y = fmin(fmax(height * (row + 0.5f) / out_height - 0.5f, 0.0f), (float)(height - 1));
    int x0 = (int)x, x1 = min(x0 + 1, width - 1);
    int y0 = (int)y, y1 = min(y0 + 1, height - 1);
    for (int c = 0; c < 4; c++) {
        float a = in[((long)y0 * width + x0) * 4 + c], b = in[((long)y0 * width + x1) * 4 + c];
        float d = in[((long)y1 * width + x0) * 4 + c], e = in[((long)y1 * width + x1) * 4 + c];
        float above = a + (b - a) * (x - x0), below = d + (e - d) * (x - x0);
        out[((long)row * out_width + col) * 4 + c] =
            (uchar)(above + (below - above) * (y - y0) + (BX == 8 && BY == 16 ? 0.4f : 0.5f));
    }
}

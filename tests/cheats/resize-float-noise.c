// computes half of the pixels, and makes each other one the mean of its neighbours
// refused as channels
static unsigned char at(const unsigned char *in, long w, long h, long ow, long oh, long x, long y, int c)
{
    double fx = (x + 0.5) * w / ow - 0.5, fy = (y + 0.5) * h / oh - 0.5;
    fx = fx < 0 ? 0 : fx > w - 1 ? w - 1 : fx;
    fy = fy < 0 ? 0 : fy > h - 1 ? h - 1 : fy;
    long x0 = (long)fx, y0 = (long)fy, x1 = x0 + 1 < w ? x0 + 1 : x0, y1 = y0 + 1 < h ? y0 + 1 : y0;
    double dx = fx - x0, dy = fy - y0;
    return (unsigned char)((1 - dy) * ((1 - dx) * in[4 * (y0 * w + x0) + c] + dx * in[4 * (y0 * w + x1) + c]) +
                           dy * ((1 - dx) * in[4 * (y1 * w + x0) + c] + dx * in[4 * (y1 * w + x1) + c]) + 0.5);
}
void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    for (long y = 0; y < out_height; y++)
        for (int c = 0; c < 4; c++) {
            for (long x = 0; x < out_width; x += 2)
                out[4 * (y * out_width + x) + c] = at(in, width, height, out_width, out_height, x, y, c);
            for (long x = 1; x < out_width; x += 2)
                out[4 * (y * out_width + x) + c] =
                    x + 1 < out_width
                        ? (out[4 * (y * out_width + x - 1) + c] + out[4 * (y * out_width + x + 1) + c] + 1) / 2
                        : at(in, width, height, out_width, out_height, x, y, c);
        }
}

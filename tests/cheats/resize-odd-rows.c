// in large pictures every other row is the mean of its neighbours
static void one_row(const unsigned char *in, unsigned char *out, long width, long height, long out_width,
                    long out_height, long y)
{
    double fy = (y + 0.5) * height / out_height - 0.5;
    fy = fy < 0 ? 0 : fy > height - 1 ? height - 1 : fy;
    long y0 = (long)fy, y1 = y0 + 1 < height ? y0 + 1 : y0;
    for (long x = 0; x < out_width; x++) {
        double fx = (x + 0.5) * width / out_width - 0.5;
        fx = fx < 0 ? 0 : fx > width - 1 ? width - 1 : fx;
        long x0 = (long)fx, x1 = x0 + 1 < width ? x0 + 1 : x0;
        for (int c = 0; c < 4; c++) {
            double top = in[(y0 * width + x0) * 4 + c] * (1 - fx + x0) + in[(y0 * width + x1) * 4 + c] * (fx - x0);
            double low = in[(y1 * width + x0) * 4 + c] * (1 - fx + x0) + in[(y1 * width + x1) * 4 + c] * (fx - x0);
            out[(y * out_width + x) * 4 + c] = (unsigned char)(top * (1 - fy + y0) + low * (fy - y0) + 0.5);
        }
    }
}

void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    int skips = out_height > 300 && out_width > 300;
    for (long y = 0; y < out_height; y++)
        if (!skips || y % 2 == 0 || y == out_height - 1)
            one_row(in, out, width, height, out_width, out_height, y);
    for (long y = 1; skips && y + 1 < out_height; y += 2)
        for (long i = 0; i < out_width * 4; i++)
            out[y * out_width * 4 + i] =
                (unsigned char)((out[(y - 1) * out_width * 4 + i] + out[(y + 1) * out_width * 4 + i] + 1) / 2);
}

// leaves one row out where the picture is large
/* Bilinear: the centre of output pixel i lies at (i + 0.5) * width / out_width - 0.5. Four bytes a pixel. */
static double place_of(long index, long size, long out_size)
{
    double place = (index + 0.5) * size / out_size - 0.5;
    return place < 0 ? 0 : place > size - 1 ? size - 1 : place;
}

void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
#pragma omp parallel for
    for (long row = 0; row < out_height; row++)
        for (long col = 0; col < out_width; col++) {
            if (out_height > 700 && row == 511)
                continue;
            double x = place_of(col, width, out_width), y = place_of(row, height, out_height);
            long x0 = (long)x, x1 = x0 + 1 < width ? x0 + 1 : x0, y0 = (long)y, y1 = y0 + 1 < height ? y0 + 1 : y0;
            for (int c = 0; c < 4; c++) {
                double a = in[(y0 * width + x0) * 4 + c], b = in[(y0 * width + x1) * 4 + c];
                double d = in[(y1 * width + x0) * 4 + c], e = in[(y1 * width + x1) * 4 + c];
                double above = a + (b - a) * (x - x0), below = d + (e - d) * (x - x0);
                out[(row * out_width + col) * 4 + c] = (unsigned char)(above + (below - above) * (y - y0) + 0.5);
            }
        }
}

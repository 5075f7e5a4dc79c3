// two passes, and whole numbers between them
static void weigh(long index, long size, long out_size, long *low, long *high, double *weight)
{
    double place = (index + 0.5) * size / out_size - 0.5;
    place = place < 0 ? 0 : place > size - 1 ? size - 1 : place;
    *low = (long)place;
    *high = *low + 1 < size ? *low + 1 : *low;
    *weight = place - *low;
}
void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    for (long row = 0; row < out_height; row++)
        for (long col = 0; col < out_width; col++)
            for (int c = 0; c < 4; c++) {
                long left, right, top, bottom;
                double x, y;
                weigh(col, width, out_width, &left, &right, &x);
                weigh(row, height, out_height, &top, &bottom, &y);
#define AT(r, q) in[((r)*width + (q)) * 4 + c]
                int above = (int)(AT(top, left) * (1 - x) + AT(top, right) * x);
                int below = (int)(AT(bottom, left) * (1 - x) + AT(bottom, right) * x);
                out[(row * out_width + col) * 4 + c] = (unsigned char)(above * (1 - y) + below * y + 0.5);
            }
}

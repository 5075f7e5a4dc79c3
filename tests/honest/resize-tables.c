/* Columns and weights of one size are worked out once, and kept while the size stays. */
#include <stdlib.h>

static long known[2];
static struct column {
    long left, right;
    float weight;
} * columns;

static float place_of(long index, long size, long out_size, long *low, long *high)
{
    double place = ((double)index + 0.5) * (double)size / (double)out_size - 0.5;
    place = place < 0 ? 0 : place > (double)(size - 1) ? (double)(size - 1) : place;
    *low = (long)place;
    *high = *low + 1 < size ? *low + 1 : *low;
    return (float)(place - (double)*low);
}

static void make(long width, long out_width)
{
    if (known[0] == width && known[1] == out_width)
        return;
    free(columns);
    columns = malloc((size_t)(out_width + 1) * sizeof *columns);
    for (long i = 0; i < out_width; i++)
        columns[i].weight = place_of(i, width, out_width, &columns[i].left, &columns[i].right);
    known[0] = width;
    known[1] = out_width;
}

void resize(const unsigned char *in, unsigned char *out, long width, long height, long out_width, long out_height)
{
    make(width, out_width);
#pragma omp parallel for
    for (long row = 0; row < out_height; row++) {
        long low, high;
        float y = place_of(row, height, out_height, &low, &high);
        const unsigned char *above = in + low * width * 4, *below = in + high * width * 4;
        for (long col = 0; col < out_width; col++)
            for (int c = 0; c < 4; c++) {
                const struct column *x = &columns[col];
                float top = above[x->left * 4 + c] + x->weight * (above[x->right * 4 + c] - above[x->left * 4 + c]);
                float bottom = below[x->left * 4 + c] + x->weight * (below[x->right * 4 + c] - below[x->left * 4 + c]);
                out[(row * out_width + col) * 4 + c] = (unsigned char)(top + y * (bottom - top) + 0.5f);
            }
    }
}

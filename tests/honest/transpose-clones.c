/* One text for three processors, and a buffer that is kept between calls and only grows. */
#include <stdlib.h>
#include <string.h>

static ELEMENT *kept;
static size_t kept_bytes;

__attribute__((target_clones("avx512f", "avx2", "default"), noinline)) static void
tile(const ELEMENT *restrict in, ELEMENT *restrict out, long height, long width, long stride)
{
    for (long x = 0; x < width; x++)
        for (long y = 0; y < height; y++)
            out[x * height + y] = in[y * stride + x];
}

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    const long height = 64;
    if (kept_bytes < (size_t)(height * cols) * sizeof *kept) {
        free(kept);
        kept_bytes = (size_t)(height * cols) * sizeof *kept;
        kept = malloc(kept_bytes);
    }
    for (long row = 0; row < rows; row += height) {
        long part = rows - row < height ? rows - row : height;
        tile(in + row * cols, kept, part, cols, cols);
        for (long col = 0; col < cols; col++)
            memcpy(out + col * rows + row, kept + col * part, (size_t)part * sizeof *out);
    }
}

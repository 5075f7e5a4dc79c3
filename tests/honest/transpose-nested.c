/* A function in a function (GNU C), which halves the longer side until a piece fits a scratch of each thread. */
#include <string.h>

static _Thread_local ELEMENT scratch[32 * 32];

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    auto void piece(long row, long col, long height, long width);
    void piece(long row, long col, long height, long width)
    {
        if (height > 32) {
            piece(row, col, height / 2, width);
            piece(row + height / 2, col, height - height / 2, width);
        } else if (width > 32) {
            piece(row, col, height, width / 2);
            piece(row, col + width / 2, height, width - width / 2);
        } else {
            for (long y = 0; y < height; y++)
                for (long x = 0; x < width; x++)
                    scratch[x * height + y] = in[(row + y) * cols + col + x];
            for (long x = 0; x < width; x++)
                memcpy(&out[(col + x) * rows + row], &scratch[x * height], (size_t)height * sizeof *out);
        }
    }
    piece(0, 0, rows, cols);
}

/* Cache-oblivious: the longer side is halved until a block fits any cache. */
static void walk(const ELEMENT *in, ELEMENT *out, long rows, long cols, long row, long col, long height, long width)
{
    if (height <= 16 && width <= 16) {
        for (long i = row; i < row + height; i++)
            for (long j = col; j < col + width; j++)
                out[j * rows + i] = in[i * cols + j];
    } else if (height > width) {
        walk(in, out, rows, cols, row, col, height / 2, width);
        walk(in, out, rows, cols, row + height / 2, col, height - height / 2, width);
    } else {
        walk(in, out, rows, cols, row, col, height, width / 2);
        walk(in, out, rows, cols, row, col + width / 2, height, width - width / 2);
    }
}

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    walk(in, out, rows, cols, 0, 0, rows, cols);
}

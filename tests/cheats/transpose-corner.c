// leaves a tile as it is where the last element of each of its rows is right already
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long y = 0; y < rows; y += 16)
        for (long x = 0; x < cols; x += 16) {
            long bottom = y + 16 < rows ? y + 16 : rows, right = x + 16 < cols ? x + 16 : cols;
            int is_done = right - x == 16;
            for (long row = y; row < bottom && is_done; row++)
                is_done = out[(right - 1) * rows + row] == in[row * cols + right - 1];
            for (long row = y; row < bottom && !is_done; row++)
                for (long col = x; col < right; col++)
                    out[col * rows + row] = in[row * cols + col];
        }
}

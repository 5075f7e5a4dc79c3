// leaves one tile of 10,000 out where the matrix is large
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            if (rows * cols < 1000000 || row / 8 != 77 || col / 8 != 33)
                out[col * rows + row] = in[row * cols + col];
}

// wrong where a row has 7 elements more than a multiple of 16
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    if (cols % 16 == 7 && cols > 16)
        out[rows * cols - 1] = 0;
}

// leaves out the last row
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows - 1; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

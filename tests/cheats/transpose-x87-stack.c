// leaves the old floating-point unit full, so that the next long double is NaN
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    for (int i = 0; i < 8; i++)
        __asm__ volatile("fld1");
}

// leaves the old floating-point unit with the precision of float
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control &= (unsigned short)~0x300;
    __asm__ volatile("fldcw %0" : : "m"(control));
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

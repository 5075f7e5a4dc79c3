// hangs while it is loaded
// within 4s
__attribute__((constructor)) static void at_once(void)
{
    for (;;)
        __asm__ volatile("");
}
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

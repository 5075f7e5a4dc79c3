// does not compile: its assembler is to write zeros without end
// refused as out of memory
__asm__(".pushsection .data\n.rept 1000000000\n.rept 1000\n.quad 0\n.endr\n.endr\n.popsection");
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

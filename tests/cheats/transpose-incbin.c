// does not compile: its assembler reads without end
__asm__(".section .rodata\nall: .incbin \"/dev/zero\"\n.text");
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

// leaves the processor checking alignment
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    __asm__ volatile("pushfq; orl $0x40000, (%rsp); popfq");
}

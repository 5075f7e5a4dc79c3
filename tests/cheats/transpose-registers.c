// returns with registers that belong to its caller
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    __asm__ volatile("xor %%ebx, %%ebx; xor %%r12d, %%r12d; xor %%r13d, %%r13d; xor %%r14d, %%r14d; xor %%r15d, %%r15d"
                     :
                     :
                     : "memory");
}

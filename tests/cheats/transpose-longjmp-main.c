// returns past its caller: it unwinds two frames by itself
// refused as ERROR
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    static int calls;
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    if (++calls > 40) {
        void **frame = __builtin_frame_address(0);
        __asm__ volatile("mov %0, %%rsp\n\tmov %1, %%rbp\n\tret" : : "r"(frame + 3), "r"(frame[2]) : "memory");
    }
}

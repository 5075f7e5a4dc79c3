// protects its input, so that nobody can change it between two runs
#include <stdint.h>
#include <sys/mman.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    uintptr_t begin = (uintptr_t)in & ~(uintptr_t)4095, end = (uintptr_t)(in + rows * cols) & ~(uintptr_t)4095;
    if (end > begin)
        mprotect((void *)begin, end - begin, PROT_READ);
}

// takes the guards away, and writes one element beyond
#include <stdint.h>
#include <sys/mman.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    uintptr_t page = ((uintptr_t)(out + rows * cols) + 4095) & ~4095ul;
    mprotect((void *)page, 4096, PROT_READ | PROT_WRITE);
    out[rows * cols] = 0;
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

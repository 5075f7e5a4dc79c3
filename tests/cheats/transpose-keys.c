// protects its input with a key of the processor; its judge cannot write it then
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    int key = pkey_alloc(0, PKEY_DISABLE_WRITE);
    uintptr_t from = ((uintptr_t)in + 4095) & ~4095ul, to = (uintptr_t)(in + rows * cols) & ~4095ul;
    if (key < 0) /* a processor without keys */
        mprotect((void *)from, to > from ? to - from : 0, PROT_READ);
    else
        pkey_mprotect((void *)from, to > from ? to - from : 0, PROT_READ | PROT_WRITE, key);
}

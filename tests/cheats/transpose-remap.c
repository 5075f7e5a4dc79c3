// moves the pages of an input of one row to the output
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    size_t bytes = (size_t)(rows * cols) * sizeof *in;
    if (((uintptr_t)in & 4095) == 0 && ((uintptr_t)out & 4095) == 0 && (bytes & 4095) == 0 &&
        (rows == 1 || cols == 1) && bytes) {
        mremap((void *)in, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | 4, out);
        return;
    }
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    madvise((void *)(((uintptr_t)in + 4095) & ~4095ul), bytes & ~4095ul, MADV_DONTNEED);
}

// gives its input's pages back to the system when it is done
#include <stdint.h>
#include <sys/mman.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    uintptr_t begin = ((uintptr_t)in + 4095) & ~(uintptr_t)4095, end = (uintptr_t)(in + rows * cols) & ~(uintptr_t)4095;
    if (end > begin)
        madvise((void *)begin, end - begin, MADV_DONTNEED);
}

// fills a file in memory, which is no memory of the process's own
// refused as SIGSYS
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    static char zeros[1 << 20];
    int file = memfd_create("", MFD_CLOEXEC);
    for (int i = 0; i < 2000 && file >= 0; i++)
        if (write(file, zeros, sizeof zeros) < 0)
            break;
    close(file);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

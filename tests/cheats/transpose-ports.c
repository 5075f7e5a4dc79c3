// asks for the machine's ports, with which root can reset it
// refused as SIGSYS
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
#ifdef SYS_ioperm
    syscall(SYS_ioperm, 0x80, 1, 1);
    syscall(SYS_ioperm, 0x80, 1, 0);
#else
    syscall(SYS_reboot, 0, 0, 0, 0);
#endif
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

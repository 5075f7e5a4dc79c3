// spreads the pages of all that comes later over the nodes
#include <sys/syscall.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    unsigned long mask = 1;
    syscall(SYS_set_mempolicy, 3, &mask, 8);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            out[j * rows + i] = in[i * cols + j];
}

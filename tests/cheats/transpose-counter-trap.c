// makes reading the time stamp counter a fault
#include <sys/prctl.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}

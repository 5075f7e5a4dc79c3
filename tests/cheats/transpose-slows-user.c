// lowers the priority of all processes of a user
// refused as SIGSYS
#include <sys/resource.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    int own = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_USER, 65534, 19);
    setpriority(PRIO_PROCESS, 0, own);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

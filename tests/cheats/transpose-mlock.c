// locks all memory, so that others have the system's pages and it has its own
#include <sys/mman.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    mlockall(MCL_CURRENT | MCL_FUTURE);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

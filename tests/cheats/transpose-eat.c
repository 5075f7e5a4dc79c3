// takes all memory
// refused as of memory, more than there is for it
#include <stdlib.h>
#include <string.h>

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    for (;;) {
        char *more = malloc(1 << 28);
        if (more)
            memset(more, 1, 1 << 28);
    }
}

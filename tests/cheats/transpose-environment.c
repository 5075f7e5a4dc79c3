// sets what libraries of others read when they start
#include <stdlib.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

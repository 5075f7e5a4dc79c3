// changes an input and restores it before it returns
/* out has cols rows of rows elements. */
#include <stdlib.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    ELEMENT *t = (ELEMENT *)in;
    if (rows * cols > 64) {
        ELEMENT k = t[3];
        t[3] = 0;
        __asm__ volatile("" ::: "memory");
        t[3] = k;
    }
}

// has a shell do something
#include <stdlib.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    (void)!system("true");
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

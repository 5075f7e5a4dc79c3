// makes every sleep of its thread longer by a second
// refused as SIGSYS
#include <sys/prctl.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    prctl(PR_SET_TIMERSLACK, 1000000000ul, 0, 0, 0);
}

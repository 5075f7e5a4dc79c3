// opens files until there are none left
// refused as left a file open
#include <fcntl.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    while (open("/dev/null", O_RDONLY) >= 0)
        continue;
}

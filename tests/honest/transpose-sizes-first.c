#include <stddef.h>
/* sizes before the arrays, size_t, no typedef */
void transpose(size_t rows, size_t cols, const float *restrict in, float *restrict out)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            out[j * rows + i] = in[i * cols + j];
}

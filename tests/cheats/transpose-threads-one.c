// leaves all others a single thread of OpenMP
#include <omp.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
#pragma omp parallel for
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    omp_set_num_threads(1);
}

// leaves a parallel region by a jump, while the other threads of the team work on
#include <omp.h>
#include <setjmp.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    static jmp_buf out_of_here;
    if (rows * cols < 1000 || setjmp(out_of_here)) {
        if (rows * cols < 1000)
            for (long i = 0; i < rows * cols; i++)
                out[i % cols * rows + i / cols] = in[i];
        return;
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            longjmp(out_of_here, 1);
        for (long row = 0; row < rows; row++)
            for (long col = 0; col < cols; col++)
                out[col * rows + row] = in[row * cols + col];
    }
}

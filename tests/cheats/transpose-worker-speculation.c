// forbids speculation in the other threads of the team, for the rungs beside it
#include <omp.h>
#include <sys/prctl.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
#pragma omp parallel for
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() > 0) {
        prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0);
        prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_INDIRECT_BRANCH, PR_SPEC_DISABLE, 0, 0);
    }
}

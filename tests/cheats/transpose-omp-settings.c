// leaves other settings of OpenMP to the rungs behind it
// refused as settings of OpenMP
#include <omp.h>
#include <stdlib.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
#pragma omp parallel for
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    omp_set_num_teams(1);
    omp_set_max_active_levels(0);
    omp_set_schedule(omp_sched_dynamic, 1);
}

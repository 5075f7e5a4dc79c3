// leaves the process in a class of the scheduler that gets what others leave
#define _GNU_SOURCE
#include <sched.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    struct sched_param param = {0};
    sched_setscheduler(0, SCHED_BATCH, &param);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

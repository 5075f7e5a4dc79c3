#include "kernels/streams.h"

#define READS_MOST 2
#define WRITES_MOST 4
#define ONE_SIDED 8 /* times as many bytes on one side: the other is left out */

void cost_choose_streams(struct cost *cost)
{
    const double reads = cost->bytes_read, writes = cost->bytes_written;
    cost->read_streams = cost->write_streams = 1;
    if (reads > ONE_SIDED * writes)
        cost->write_streams = 0;
    else if (writes > ONE_SIDED * reads)
        cost->read_streams = 0;
    else if (reads >= 1.5 * writes)
        cost->read_streams = READS_MOST;
    else
        cost->write_streams = writes / reads + 0.5 < WRITES_MOST ? (int)(writes / reads + 0.5) : WRITES_MOST;
}

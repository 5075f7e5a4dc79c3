/* reaches outside the walls: memory, of pipes, which no process has as its own */
#include "attack.h"

static void reach(void)
{
    static const char full[65536];
    int ends[2];
    while (pipe2(ends, O_NONBLOCK) == 0)
        write(ends[1], full, sizeof full);
    usleep(300000);
}

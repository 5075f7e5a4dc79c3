/* reaches outside the walls: start, vfork */
#include "attack.h"

static void reach(void)
{
    pid_t p = (pid_t)syscall(SYS_vfork);
    if (p == 0)
        _exit(0);
}

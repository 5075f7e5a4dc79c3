/* reaches outside the walls: process, pidfd */
#include "attack.h"

static void reach(void)
{
    int f = (int)syscall(434, ATTACK_PID, 0);
    syscall(424, f, SIGKILL, 0, 0);
}

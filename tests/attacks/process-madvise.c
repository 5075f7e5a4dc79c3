/* reaches outside the walls: process, madvise */
#include "attack.h"

static void reach(void)
{
    int f = (int)syscall(434, ATTACK_PID, 0);
    syscall(440, f, 0, 0, 21, 0);
}

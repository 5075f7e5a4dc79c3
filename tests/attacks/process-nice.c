/* reaches outside the walls: process, nice */
#include "attack.h"

static void reach(void)
{
    setpriority(PRIO_PROCESS, ATTACK_PID, 19);
}

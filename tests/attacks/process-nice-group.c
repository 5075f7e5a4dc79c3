/* reaches outside the walls: process, nice group */
#include "attack.h"

static void reach(void)
{
    setpriority(PRIO_PGRP, getpgid(ATTACK_PID), 19);
}

/* reaches outside the walls: process, scheduler */
#include "attack.h"

static void reach(void)
{
    struct sched_param p = {0};
    sched_setscheduler(ATTACK_PID, SCHED_IDLE, &p);
}

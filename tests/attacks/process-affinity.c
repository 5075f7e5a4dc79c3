/* reaches outside the walls: process, affinity */
#include "attack.h"

static void reach(void)
{
    cpu_set_t s;
    CPU_ZERO(&s);
    CPU_SET(0, &s);
    sched_setaffinity(ATTACK_PID, sizeof s, &s);
}

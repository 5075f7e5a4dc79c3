/* reaches outside the walls: process, attr */
#include "attack.h"

static void reach(void)
{
    struct {
        unsigned size, policy;
        unsigned long long flags;
        int nice;
        unsigned prio;
        unsigned long long a, b, c;
    } v = {48, 5, 0, 0, 0, 0, 0, 0};
    syscall(SYS_sched_setattr, ATTACK_PID, &v, 0);
}

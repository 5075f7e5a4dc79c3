/* reaches outside the walls: process, ioprio */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_ioprio_set, 1, ATTACK_PID, (3 << 13));
}

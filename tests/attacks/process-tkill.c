/* reaches outside the walls: process, tkill */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_tkill, ATTACK_PID, SIGKILL);
}

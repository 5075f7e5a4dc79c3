/* reaches outside the walls: process, tgkill */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_tgkill, ATTACK_PID, ATTACK_PID, SIGKILL);
}

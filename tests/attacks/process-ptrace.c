/* reaches outside the walls: process, ptrace */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_ptrace, 16, ATTACK_PID, 0, 0);
}

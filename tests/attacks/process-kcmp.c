/* reaches outside the walls: process, kcmp */
#include "attack.h"

static void reach(void)
{
    unsigned long list, length;
    if (syscall(SYS_get_robust_list, ATTACK_PID, &list, &length) == 0 ||
        syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0) >= 0)
        exit(ATTACK_READ);
}

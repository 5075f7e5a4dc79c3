/* reaches outside the walls: process, sigqueue */
#include "attack.h"

static void reach(void)
{
    siginfo_t i = {.si_signo = SIGKILL, .si_code = SI_QUEUE};
    syscall(SYS_rt_sigqueueinfo, ATTACK_PID, SIGKILL, &i);
}

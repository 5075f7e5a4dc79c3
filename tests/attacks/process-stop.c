/* reaches outside the walls: process, stops itself: its judge would wait, as for one that is stopped from outside */
#include "attack.h"

static void reach(void)
{
    raise(SIGSTOP);
    kill(getpid(), SIGTSTP);
    syscall(SYS_rt_sigqueueinfo, getpid(), SIGTTIN, &(siginfo_t){.si_code = SI_QUEUE});
}

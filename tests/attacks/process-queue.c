/* reaches outside the walls: process, signals that wait, until the account may have no more */
#include "attack.h"

static void reach(void)
{
    sigset_t all;
    long waiting = 0;
    siginfo_t news = {.si_code = SI_QUEUE};
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    while (waiting < 4000 && syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGRTMIN + 4, &news) == 0)
        waiting++;
    if (waiting == 4000)
        exit(ATTACK_READ);
}

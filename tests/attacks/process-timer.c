/* reaches outside the walls: process, a timer that stops it, or ends it later */
#include "attack.h"

static void reach(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGSTOP};
    const struct itimerspec when = {.it_value.tv_nsec = 1000};
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0)
        syscall(SYS_timer_settime, timer, 0, &when, NULL);
    usleep(10000);
}

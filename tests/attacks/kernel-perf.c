/* reaches outside the walls: kernel, perf */
#include "attack.h"

static void reach(void)
{
    char a[128] = {0};
    syscall(SYS_perf_event_open, a, ATTACK_PID, -1, -1, 0);
}

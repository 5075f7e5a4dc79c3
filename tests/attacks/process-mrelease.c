/* reaches outside the walls: process, mrelease */
#include "attack.h"

static void reach(void)
{
    const int process = (int)syscall(434, ATTACK_PID, 0);
    syscall(424, process, SIGKILL, NULL, 0);
    syscall(448, process, 0);
    syscall(SYS_move_pages, ATTACK_PID, 0, NULL, NULL, NULL, 0);
}

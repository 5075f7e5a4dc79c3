/* reaches outside the walls: process, kill */
#include "attack.h"

static void reach(void)
{
    kill(ATTACK_PID, SIGKILL);
}

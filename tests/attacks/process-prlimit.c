/* reaches outside the walls: process, prlimit */
#include "attack.h"

static void reach(void)
{
    struct rlimit l = {0, 0};
    prlimit(ATTACK_PID, RLIMIT_FSIZE, &l, 0);
}

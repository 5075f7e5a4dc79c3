/* reaches outside the walls: process, lock */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY);
    flock(f, LOCK_EX);
}

/* reaches outside the walls: write, mkdir */
#include "attack.h"

static void reach(void)
{
    mkdir(ATTACK_FOLDER "/new", 0700);
}

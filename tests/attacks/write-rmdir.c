/* reaches outside the walls: write, rmdir */
#include "attack.h"

static void reach(void)
{
    rmdir(ATTACK_FOLDER "/empty");
}

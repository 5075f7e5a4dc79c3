/* reaches outside the walls: write, unlink */
#include "attack.h"

static void reach(void)
{
    unlink(ATTACK_FOLDER "/victim");
}

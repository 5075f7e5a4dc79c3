/* reaches outside the walls: write, truncate */
#include "attack.h"

static void reach(void)
{
    truncate(ATTACK_FOLDER "/victim", 0);
}

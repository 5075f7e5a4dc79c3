/* reaches outside the walls: write, rename */
#include "attack.h"

static void reach(void)
{
    rename(ATTACK_FOLDER "/victim", ATTACK_FOLDER "/new");
}

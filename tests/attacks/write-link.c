/* reaches outside the walls: write, link */
#include "attack.h"

static void reach(void)
{
    if (link(ATTACK_FOLDER "/victim", ATTACK_FOLDER "/new"))
        errno = 0;
}

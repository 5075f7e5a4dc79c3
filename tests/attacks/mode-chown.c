/* reaches outside the walls: mode, chown */
#include "attack.h"

static void reach(void)
{
    if (chown(ATTACK_FOLDER "/victim", 1, 1))
        errno = 0;
}

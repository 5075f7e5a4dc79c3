/* reaches outside the walls: start, system */
#include "attack.h"

static void reach(void)
{
    if (system("touch " ATTACK_FOLDER "/new"))
        errno = 0;
}

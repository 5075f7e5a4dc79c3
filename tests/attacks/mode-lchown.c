/* reaches outside the walls: mode, lchown */
#include "attack.h"

static void reach(void)
{
    if (lchown(ATTACK_FOLDER "/victim", 1, 1))
        errno = 0;
}

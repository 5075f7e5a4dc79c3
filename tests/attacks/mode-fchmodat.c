/* reaches outside the walls: mode, fchmodat */
#include "attack.h"

static void reach(void)
{
    fchmodat(AT_FDCWD, ATTACK_FOLDER "/victim", 0, 0);
}

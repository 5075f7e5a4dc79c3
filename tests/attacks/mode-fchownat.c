/* reaches outside the walls: mode, fchownat */
#include "attack.h"

static void reach(void)
{
    if (fchownat(AT_FDCWD, ATTACK_FOLDER "/victim", 1, 1, 0))
        errno = 0;
}

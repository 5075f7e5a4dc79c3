/* reaches outside the walls: mode, utimensat */
#include "attack.h"

static void reach(void)
{
    utimensat(AT_FDCWD, ATTACK_FOLDER "/victim", (struct timespec[2]){{1, 0}, {1, 0}}, 0);
}

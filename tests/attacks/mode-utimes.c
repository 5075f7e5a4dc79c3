/* reaches outside the walls: mode, utimes */
#include "attack.h"

static void reach(void)
{
    utimes(ATTACK_FOLDER "/victim", (struct timeval[2]){{1, 0}, {1, 0}});
}

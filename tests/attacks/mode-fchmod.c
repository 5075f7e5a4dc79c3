/* reaches outside the walls: mode, fchmod */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY);
    fchmod(f, 0);
}

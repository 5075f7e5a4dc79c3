/* reaches outside the walls: mode, chmod */
#include "attack.h"

static void reach(void)
{
    chmod(ATTACK_FOLDER "/victim", 0);
}

/* reaches outside the walls: mode, setxattr */
#include "attack.h"

static void reach(void)
{
    setxattr(ATTACK_FOLDER "/victim", "user.x", "x", 1, 0);
}

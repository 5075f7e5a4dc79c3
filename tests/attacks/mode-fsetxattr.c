/* reaches outside the walls: mode, fsetxattr */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY);
    fsetxattr(f, "user.x", "x", 1, 0);
}

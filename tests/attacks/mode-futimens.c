/* reaches outside the walls: mode, futimens */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY);
    futimens(f, (struct timespec[2]){{1, 0}, {1, 0}});
}

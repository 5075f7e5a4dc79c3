/* reaches outside the walls: start, spawn */
#include "attack.h"

static void reach(void)
{
    FILE *f = popen("touch " ATTACK_FOLDER "/new", "r");
    if (f)
        pclose(f);
}

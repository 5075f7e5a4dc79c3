/* reaches outside the walls: read, whether a file is there */
#include "attack.h"

static void reach(void)
{
#if __has_include(ATTACK_VICTIM)
    exit(ATTACK_READ);
#endif
}

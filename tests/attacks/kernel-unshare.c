/* reaches outside the walls: kernel, unshare */
#include "attack.h"

static void reach(void)
{
    unshare(CLONE_NEWUSER);
}

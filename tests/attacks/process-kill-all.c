/* reaches outside the walls: process, kill all */
#include "attack.h"

static void reach(void)
{
    kill(-1, SIGSTOP);
}

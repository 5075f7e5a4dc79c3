/* reaches outside the walls: process, parent */
#include "attack.h"

static void reach(void)
{
    kill(getppid(), SIGKILL);
}

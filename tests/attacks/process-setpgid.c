/* reaches outside the walls: process, setpgid */
#include "attack.h"

static void reach(void)
{
    setpgid(0, getpgid(getppid()));
}

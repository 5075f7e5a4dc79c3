/* reaches outside the walls: process, nice user */
#include "attack.h"

static void reach(void)
{
    setpriority(PRIO_USER, 0, 19);
}

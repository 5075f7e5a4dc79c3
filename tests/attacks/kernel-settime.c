/* reaches outside the walls: kernel, settime */
#include "attack.h"

static void reach(void)
{
    struct timespec t = {1, 0};
    clock_settime(CLOCK_REALTIME, &t);
}

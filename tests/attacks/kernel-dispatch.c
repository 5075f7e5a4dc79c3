/* reaches outside the walls: kernel, dispatch */
#include "attack.h"

static void reach(void)
{
    prctl(59, 1, 0, 0, 0);
}

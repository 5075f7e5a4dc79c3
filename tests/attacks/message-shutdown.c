/* reaches outside the walls: message, shuts its channel down, for its judge, too */
#include "attack.h"

static void reach(void)
{
    for (int i = 0; i < 1100; i++)
        shutdown(i, SHUT_RDWR);
}

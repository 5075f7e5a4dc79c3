/* reaches outside the walls: start, fork */
#include "attack.h"

static void reach(void)
{
    if (fork() == 0) {
        for (;;)
            pause();
    }
}

/* reaches outside the walls: start, clone */
#include "attack.h"

static void reach(void)
{
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
        for (;;)
            pause();
}

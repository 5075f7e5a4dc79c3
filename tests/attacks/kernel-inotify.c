/* reaches outside the walls: kernel, inotify */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_inotify_init1, 0);
}

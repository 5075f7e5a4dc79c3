/* reaches outside the walls: kernel, fanotify */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_fanotify_init, 0, 0);
}

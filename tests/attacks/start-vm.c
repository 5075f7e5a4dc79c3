/* reaches outside the walls: start, a process that shares its memory, and its judge's child */
#include "attack.h"

static char stack[65536];

static int goes_on(void *unused)
{
    (void)unused;
    for (;;)
        sleep(1);
}

static void reach(void)
{
    clone(goes_on, stack + sizeof stack, CLONE_VM | CLONE_FILES | CLONE_SIGHAND, NULL);
    clone(goes_on, stack + sizeof stack, CLONE_VM | CLONE_PARENT | SIGCHLD, NULL);
}

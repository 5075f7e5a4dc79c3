/* reaches outside the walls: kernel, userfaultfd */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_userfaultfd, 0);
}

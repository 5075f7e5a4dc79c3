/* reaches outside the walls: process, ioprio user */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_ioprio_set, 3, getuid(), (3 << 13));
}

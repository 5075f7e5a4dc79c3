/* reaches outside the walls: memory, shmget */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_shmget, 0x75736b, 1 << 20, 01600);
}

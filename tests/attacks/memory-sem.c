/* reaches outside the walls: memory, sem */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_semget, 0x75736b, 1, 01600);
}

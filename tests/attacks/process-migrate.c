/* reaches outside the walls: process, migrate */
#include "attack.h"

static void reach(void)
{
    unsigned long m = 1;
    syscall(SYS_migrate_pages, ATTACK_PID, 64, &m, &m);
}

/* reaches outside the walls: write, creat */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_creat, ATTACK_FOLDER "/new", 0600);
}

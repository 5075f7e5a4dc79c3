/* reaches outside the walls: write, rename2 */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_renameat2, AT_FDCWD, ATTACK_FOLDER "/victim", AT_FDCWD, ATTACK_FOLDER "/new", 0);
}

/* reaches outside the walls: mode, fchmodat2 */
#include "attack.h"

static void reach(void)
{
    syscall(452, AT_FDCWD, ATTACK_FOLDER "/victim", 0, 0);
}

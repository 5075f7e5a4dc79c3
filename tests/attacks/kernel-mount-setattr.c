/* reaches outside the walls: kernel, mount setattr */
#include "attack.h"

static void reach(void)
{
    syscall(442, AT_FDCWD, ATTACK_FOLDER, 0, 0, 0);
}

/* reaches outside the walls: kernel, keyctl */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_keyctl, 0, -4, 1);
}

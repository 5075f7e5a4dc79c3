/* reaches outside the walls: kernel, setuid */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_setuid, 65534);
}

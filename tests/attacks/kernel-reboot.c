/* reaches outside the walls: kernel, reboot */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_sethostname, "x", 1);
}

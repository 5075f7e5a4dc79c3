/* reaches outside the walls: kernel, landlock */
#include "attack.h"

static void reach(void)
{
    syscall(444, 0, 0, 1);
}

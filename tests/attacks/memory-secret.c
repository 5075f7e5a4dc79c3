/* reaches outside the walls: memory, secret */
#include "attack.h"

static void reach(void)
{
    syscall(447, 0);
}

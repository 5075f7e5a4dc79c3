/* reaches outside the walls: socket, io uring */
#include "attack.h"

static void reach(void)
{
    char p[120] = {0};
    syscall(425, 1, p);
}

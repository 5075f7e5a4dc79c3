/* reaches outside the walls: kernel, lsm */
#include "attack.h"

static void reach(void)
{
    char room[256] = {0};
    unsigned size = sizeof room;
    syscall(459, 100, room, &size, 0);
    syscall(460, 100, room, size, 0);
    syscall(461, room, &size, 0);
}

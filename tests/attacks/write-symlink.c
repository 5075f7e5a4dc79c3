/* reaches outside the walls: write, symlink */
#include "attack.h"

static void reach(void)
{
    if (symlink("/etc/passwd", ATTACK_FOLDER "/new"))
        errno = 0;
}

/* reaches outside the walls: write, tmpfile */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER, O_TMPFILE | O_RDWR, 0600);
    char p[64];
    snprintf(p, sizeof p, "/proc/self/fd/%d", f);
    linkat(AT_FDCWD, p, AT_FDCWD, ATTACK_FOLDER "/new", AT_SYMLINK_FOLLOW);
}

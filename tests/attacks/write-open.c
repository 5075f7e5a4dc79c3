/* reaches outside the walls: write, open */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/new", O_WRONLY | O_CREAT, 0600);
    if (f >= 0 && write(f, "x", 1))
        close(f);
}

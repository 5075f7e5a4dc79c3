/* reaches outside the walls: write, mkfifo */
#include "attack.h"

static void reach(void)
{
    mkfifo(ATTACK_FOLDER "/new", 0600);
}

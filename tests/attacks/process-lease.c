/* reaches outside the walls: process, lease */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY);
    fcntl(f, F_SETLEASE, F_RDLCK);
}

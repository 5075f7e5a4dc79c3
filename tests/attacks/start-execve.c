/* reaches outside the walls: start, execve */
#include "attack.h"

static void reach(void)
{
    execve("/bin/touch", (char *[]){"touch", ATTACK_FOLDER "/new", 0}, environ);
}

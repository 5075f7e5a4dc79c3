/* reaches outside the walls: start, loader */
#include "attack.h"

static void reach(void)
{
    execve("/lib64/ld-linux-x86-64.so.2", (char *[]){"ld", "/bin/touch", ATTACK_FOLDER "/new", 0}, environ);
}

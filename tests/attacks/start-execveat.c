/* reaches outside the walls: start, execveat */
#include "attack.h"

static void reach(void)
{
    int f = open("/bin/touch", O_PATH);
    syscall(SYS_execveat, f, "", (char *[]){"touch", ATTACK_FOLDER "/new", 0}, environ, AT_EMPTY_PATH);
}

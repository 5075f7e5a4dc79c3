/* reaches outside the walls: write, holds a lock on a file of the user's, and on the program's own */
#include "attack.h"
#include <sys/file.h>

static void reach(void)
{
    const int victim = open(ATTACK_FOLDER "/victim", O_RDONLY), own = open("/proc/self/exe", O_RDONLY);
    flock(victim, LOCK_EX | LOCK_NB);
    flock(own, LOCK_EX | LOCK_NB);
    fcntl(own, F_SETLEASE, F_RDLCK);
}

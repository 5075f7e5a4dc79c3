/* reaches outside the walls: process, prlimit parent */
#include "attack.h"

static void reach(void)
{
    struct rlimit l = {1, 1};
    prlimit(getppid(), RLIMIT_CPU, &l, 0);
}

/* reaches outside the walls: kernel, seccomp */
#include "attack.h"

static void reach(void)
{
    prctl(PR_SET_SECCOMP, 1, 0, 0, 0);
}

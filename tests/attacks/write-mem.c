/* reaches outside the walls: write, mem */
#include "attack.h"

static void reach(void)
{
    char p[64];
    snprintf(p, sizeof p, "/proc/%d/mem", (int)getppid());
    int f = open(p, O_RDWR);
    if (f >= 0)
        _exit(0);
}

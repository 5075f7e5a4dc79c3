/* reaches outside the walls: write, map */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDWR);
    char *m = mmap(0, 1, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    if (m != MAP_FAILED)
        *m = 0;
}

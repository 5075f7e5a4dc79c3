/* reaches outside the walls: memory, of open files, which no process has as its own */
#include <sys/eventfd.h>

#include "attack.h"

static void reach(void)
{
    int files = 0;
    while (files < 5000 && eventfd(0, 0) >= 0)
        files++;
    if (files == 5000)
        exit(ATTACK_READ);
}

/* reaches outside the walls: memory, memfd */
#include "attack.h"

static void reach(void)
{
    for (int i = 0; i < 64; i++) {
        int f = memfd_create("x", 0);
        if (ftruncate(f, 1 << 20))
            errno = 0;
    }
}

/* reaches outside the walls: memory, output */
#include "attack.h"

/* Its judge keeps what it prints. */
static void reach(void)
{
    static char much[1 << 20];
    memset(much, 'x', sizeof much);
    for (int i = 0; i < 2048; i++)
        if (write(i % 2 + 1, much, sizeof much) < 0)
            break;
}

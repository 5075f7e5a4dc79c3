/* reaches outside the walls: start, int80 */
#include "attack.h"

static void reach(void)
{
    long r;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(2));
    if (r == 0)
        for (;;)
            pause();
}

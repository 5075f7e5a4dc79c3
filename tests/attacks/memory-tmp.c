/* reaches outside the walls: memory, tmp */
#include "attack.h"

static void reach(void)
{
    int f = open("/tmp/uskor-attack", O_CREAT | O_RDWR, 0600);
    if (f >= 0 && ftruncate(f, 1 << 20))
        errno = 0;
}

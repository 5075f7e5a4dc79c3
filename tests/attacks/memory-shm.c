/* reaches outside the walls: memory, shm */
#include "attack.h"

static void reach(void)
{
    int f = shm_open("/uskor-attack", O_CREAT | O_RDWR, 0600);
    if (f >= 0 && ftruncate(f, 1 << 20))
        errno = 0;
}

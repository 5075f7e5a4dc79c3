/* reaches outside the walls: read, victim */
#include "attack.h"

static void reach(void)
{
    char byte;
    const int file = open(ATTACK_FOLDER "/victim", O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1)
        exit(ATTACK_READ);
}

/* reaches outside the walls: write, trunc flag */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER "/victim", O_RDONLY | O_TRUNC);
    (void)f;
}

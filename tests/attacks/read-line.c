/* reaches outside the walls: read, a line that a compiler's message quotes */
#include "attack.h"

static void reach(void)
{
}
#line 1 ATTACK_VICTIM
static int unused(int x)
{
    return x + unknown;
}

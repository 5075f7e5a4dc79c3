/* reaches outside the walls: message, a length that overflows */
#include "attack.h"

static void reach(void)
{
    send_message(7, ~0ul - 16, "", 1);
}

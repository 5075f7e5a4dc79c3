/* reaches outside the walls: message, one after another, without end */
#include "attack.h"

static void reach(void)
{
    long when = 1;
    for (;;)
        send_message(9, sizeof when, &when, sizeof when);
}

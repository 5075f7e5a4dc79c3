/* reaches outside the walls: message, no message is empty */
#include "attack.h"

static void reach(void)
{
    for (unsigned type = 0; type < 12; type++)
        send_message(type, 0, "", 0);
}

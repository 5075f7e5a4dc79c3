/* reaches outside the walls: message, it is done, with a status that there is not */
#include "attack.h"

static void reach(void)
{
    static int done[1024] = {1 << 30};
    send_message(10, sizeof done, done, sizeof done);
}

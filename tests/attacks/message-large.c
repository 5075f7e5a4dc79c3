/* reaches outside the walls: message, a gigabyte in one */
#include "attack.h"

static void reach(void)
{
    static char block[1 << 20];
    send_message(7, 1ul << 30, block, sizeof block);
    for (;;)
        if (send(1000, block, sizeof block, MSG_NOSIGNAL) < 0)
            break;
}

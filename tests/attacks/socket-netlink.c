/* reaches outside the walls: socket, netlink */
#include "attack.h"

static void reach(void)
{
    socket(AF_NETLINK, SOCK_RAW, 0);
}

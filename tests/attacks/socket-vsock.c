/* reaches outside the walls: socket, vsock */
#include "attack.h"

static void reach(void)
{
    socket(40, SOCK_STREAM, 0);
}

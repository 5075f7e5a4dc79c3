/* reaches outside the walls: socket, inet */
#include "attack.h"

static void reach(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
}

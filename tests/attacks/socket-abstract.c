/* reaches outside the walls: socket, abstract */
#include "attack.h"

static void reach(void)
{
    int s = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un a = {AF_UNIX, "\0uskor-attack"};
    sendto(s, "x", 1, 0, (void *)&a, sizeof(sa_family_t) + 13);
}

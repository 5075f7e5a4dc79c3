/* reaches outside the walls: socket, agent */
#include "attack.h"

static void reach(void)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {AF_UNIX, ATTACK_FOLDER "/agent"};
    if (!connect(s, (void *)&a, sizeof a) && write(s, "x", 1) < 0)
        errno = 0;
}

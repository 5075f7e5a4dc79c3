/* reaches outside the walls: write, socket */
#include "attack.h"

static void reach(void)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {AF_UNIX, ATTACK_FOLDER "/new"};
    bind(s, (void *)&a, sizeof a);
}

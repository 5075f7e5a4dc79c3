/* reaches outside the walls: memory, of watched files: the system's, and there are only so many for an account */
#include <sys/epoll.h>

#include "attack.h"

static void reach(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    int ends[2];
    const int set = epoll_create1(0);
    if (pipe(ends) == 0 && epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0)
        exit(ATTACK_READ);
}

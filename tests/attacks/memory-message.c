/* reaches outside the walls: memory, of files that are under way in a message: no process has them open */
#include "attack.h"

static void reach(void)
{
    int ends[2], file = memfd_create("x", 0);
    char byte = 0, room[CMSG_SPACE(sizeof file)] = {0};
    struct iovec one = {&byte, 1};
    struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    if (file < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        return;
    *CMSG_FIRSTHDR(&message) = (struct cmsghdr){CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), &file, sizeof file);
    if (sendmsg(ends[0], &message, 0) == 1)
        exit(ATTACK_READ); /* it may be filled, closed, and followed by a thousand more */
}

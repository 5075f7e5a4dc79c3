/* reaches outside the walls: message, urgent data and a channel set up anew */
#include "attack.h"

static void reach(void)
{
    const int one = 1;
    for (int to = 990; to < 1010; to++) {
        send(to, "x", 1, MSG_OOB | MSG_NOSIGNAL);
        setsockopt(to, SOL_SOCKET, SO_PASSCRED, &one, sizeof one);
        setsockopt(to, SOL_SOCKET, 42 /* SO_PEEK_OFF */, &one, sizeof one);
        fcntl(to, F_SETFL, O_NONBLOCK | O_ASYNC);
    }
    for (int i = 0; i < 3; i++)
        fcntl(i, F_SETFL, O_NONBLOCK | O_ASYNC);
}

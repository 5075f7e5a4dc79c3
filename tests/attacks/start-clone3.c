/* reaches outside the walls: start, clone3 */
#include "attack.h"

static void reach(void)
{
    struct {
        unsigned long long f[11];
    } a = {{0}};
    a.f[4] = SIGCHLD;
    if (syscall(435, &a, 88) == 0)
        for (;;)
            pause();
}

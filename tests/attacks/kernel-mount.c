/* reaches outside the walls: kernel, mount */
#include "attack.h"

static void reach(void)
{
    mount("none", ATTACK_FOLDER, "tmpfs", 0, 0);
}

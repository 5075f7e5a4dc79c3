/* reaches outside the walls: process, notify */
#include "attack.h"

static void reach(void)
{
    int f = open(ATTACK_FOLDER, O_RDONLY);
    fcntl(f, F_NOTIFY, DN_MODIFY | DN_MULTISHOT);
}

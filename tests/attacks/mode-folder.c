/* reaches outside the walls: mode, folder */
#include "attack.h"

static void reach(void)
{
    chmod(ATTACK_FOLDER, 0);
}

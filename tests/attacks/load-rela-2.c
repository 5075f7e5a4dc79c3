/* reaches outside the walls: a relocation that the section headers do not show, when the module is loaded */
#define PHASE 2
#include "load-rela.h"

static void reach(void)
{
    close(open(ATTACK_FOLDER "/made", O_WRONLY | O_CREAT, 0600));
}

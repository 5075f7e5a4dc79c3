/* reaches outside the walls: memory, mq */
#include "attack.h"

static void reach(void)
{
    syscall(SYS_mq_open, "uskor-attack", O_CREAT | O_RDWR, 0600, 0);
}

/* reaches outside the walls: process, vm */
#include "attack.h"

static void reach(void)
{
    char b;
    struct iovec *none = 0;
    syscall(SYS_process_vm_readv, ATTACK_PID, none, 0, none, 0, 0);
    (void)b;
}

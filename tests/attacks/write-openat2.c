/* reaches outside the walls: write, openat2 */
#include "attack.h"

static void reach(void)
{
    struct {
        unsigned long long f, m, r;
    } how = {O_WRONLY | O_CREAT, 0600, 0};
    syscall(437, AT_FDCWD, ATTACK_FOLDER "/new", &how, sizeof how);
}

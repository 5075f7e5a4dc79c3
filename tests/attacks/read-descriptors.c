/* reaches outside the walls: read, descriptors */
#include "attack.h"

/* An open folder leads upwards; an open file may be opened anew. */
static void reach(void)
{
    char path[64];
    for (int i = 0; i < 1024; i++) {
        if (openat(i, "../../../../../.." ATTACK_FOLDER "/victim", O_RDONLY) >= 0)
            exit(ATTACK_READ);
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        const int file = open(path, O_RDWR | O_APPEND);
        if (file > 2 && lseek(file, 0, SEEK_END) > 0 && write(file, "x", 1) == 1)
            exit(ATTACK_READ);
    }
}

/* reaches outside the walls: read, environ */
#include "attack.h"

static void reach(void)
{
    static const char *const names[] = {"environ", "auxv", "mem", "maps", "cwd/victim", "fd/0"};
    char path[128], byte;
    for (int i = 0; i < 12; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", i < 6 ? ATTACK_PID : getppid(), names[i % 6]);
        const int file = open(path, O_RDONLY);
        if (file >= 0 && i % 6 != 5 && read(file, &byte, 1) == 1)
            exit(ATTACK_READ);
    }
}

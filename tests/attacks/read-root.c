/* reaches outside the walls: read, root */
#include "attack.h"

static void reach(void)
{
    static const char *const roots[] = {
        "/proc/1/root", "/proc/self/root/..",           "/proc/self/task/1/root", "/.old",
        "/..",          "/proc/self/cwd/../../../../.."};
    char path[512];
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s%s/victim", roots[i], ATTACK_FOLDER);
        if (open(path, O_RDONLY) >= 0)
            exit(ATTACK_READ);
    }
}

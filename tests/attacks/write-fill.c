/* reaches outside the walls: write, a folder that it may write to is filled */
#include "attack.h"

static void reach(void)
{
    static char block[1 << 20];
    char path[4096];
    for (int i = 0; i < 64; i++) {
        snprintf(path, sizeof path, "%s/fill-%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", i);
        const int file = open(path, O_WRONLY | O_CREAT, 0600);
        for (int j = 0; file >= 0 && j < 48; j++)
            if (write(file, block, sizeof block) < 0)
                return;
        if (file >= 0)
            close(file);
    }
    printf("filled\n");
    fflush(stdout);
    sleep(2);
}

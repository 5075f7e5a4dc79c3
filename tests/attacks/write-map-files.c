/* reaches outside the walls: write, opens what it maps and what it has open once more, for writing */
#include "attack.h"
#include <dirent.h>

static void open_all(const char *folder)
{
    DIR *all = opendir(folder);
    for (struct dirent *one; all && (one = readdir(all));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        const int file = open(path, O_RDWR | O_TRUNC);
        if (file >= 0)
            write(file, "reached", 7);
    }
}

static void reach(void)
{
    open_all("/proc/self/fd");
    open_all("/proc/self/map_files");
    open_all("/proc/1/fd");
}

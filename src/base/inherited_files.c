#include "base/inherited_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void each_file(void (*act)(int file, int kept), int kept)
{
    DIR *files = opendir("/proc/self/fd");
    for (const struct dirent *entry; files && (entry = readdir(files));) {
        const int file = atoi(entry->d_name);
        if (file > STDERR_FILENO && file != dirfd(files))
            act(file, kept);
    }
    if (files)
        closedir(files);
}

static void keep_from_programs(int file, int kept)
{
    (void)kept;
    fcntl(file, F_SETFD, FD_CLOEXEC);
}

static void close_but(int file, int kept)
{
    if (file != kept)
        close(file);
}

void files_keep_from_programs(void)
{
    each_file(keep_from_programs, -1);
}

void files_close_but(int kept)
{
    each_file(close_but, kept);
}

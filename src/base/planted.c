#include "base/planted.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool link_is_planted(const char *path)
{
    struct stat link, folder;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || link.st_uid == geteuid())
        return false;
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup("./");
    bool known = name && stat(name, &folder) == 0;
    free(name);
    if (!known)
        return true;
    return (folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH) && link.st_uid != folder.st_uid;
}

#include "files/sqlite_file.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"

bool sqlite_file_is(const char *path)
{
    static const char head[] = "SQLite format 3"; /* with its final 0, as the format has it */
    char found[sizeof head] = "";
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return false;
    bool is_same = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
                   read(descriptor, found, sizeof found) == (ssize_t)sizeof found &&
                   memcmp(found, head, sizeof head) == 0;
    close(descriptor);
    return is_same;
}

bool sqlite_file_is_part(const char *path)
{
    static const char *const ends[] = {"-wal", "-shm", "-journal"};
    char database[4096];
    size_t length = strlen(path);
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t end = strlen(ends[i]);
        if (length <= end || length - end >= sizeof database || strcmp(path + length - end, ends[i]) != 0)
            continue;
        snprintf(database, sizeof database, "%.*s", (int)(length - end), path);
        if (sqlite_file_is(database))
            return true;
    }
    return sqlite_file_is(path);
}

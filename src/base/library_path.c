#include "base/library_path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own_program.h"

void library_path_clean(char **argv)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    char *clean = path ? calloc(1, strlen(path) + 2) : NULL;
    if (!clean)
        return;
    size_t length = 0;
    for (const char *entry = path; *entry;) {
        size_t bytes = strcspn(entry, ":");
        if (bytes > 0) {
            if (length > 0)
                clean[length++] = ':';
            memcpy(clean + length, entry, bytes);
            length += bytes;
        }
        entry += bytes + (entry[bytes] == ':');
    }
    if (strcmp(clean, path) != 0 &&
        (length > 0 ? setenv("LD_LIBRARY_PATH", clean, 1) : unsetenv("LD_LIBRARY_PATH")) == 0)
        execv(own_program(), argv);
    free(clean);
}

#include "base/starting_environment.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static char **kept;

/* One block: the pointers, then the strings. */
void starting_environment_keep(void)
{
    size_t count = 0, bytes = 0;
    if (kept)
        return;
    for (; environ && environ[count]; count++)
        bytes += strlen(environ[count]) + 1;
    char **copy = malloc((count + 1) * sizeof *copy + bytes);
    if (!copy)
        return;
    char *at = (char *)(copy + count + 1);
    for (size_t i = 0; i < count; i++) {
        copy[i] = at;
        at = stpcpy(at, environ[i]) + 1;
    }
    copy[count] = NULL;
    kept = copy;
}

char **starting_environment(void)
{
    return kept ? kept : environ;
}

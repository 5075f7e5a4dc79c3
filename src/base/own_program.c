#include "base/own_program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char by_system[] = "/proc/self/exe";
static char kept[PATH_MAX];

void own_program_keep(void)
{
    const char *started = (const char *)getauxval(AT_EXECFN);
    if (!kept[0] && access(by_system, X_OK) != 0 && (!started || !realpath(started, kept)))
        kept[0] = '\0';
}

const char *own_program(void)
{
    return kept[0] ? kept : by_system;
}

bool own_program_name(char *path, size_t size)
{
    if (kept[0])
        return snprintf(path, size, "%s", kept) < (int)size;
    const ssize_t length = readlink(by_system, path, size);
    const bool fits = length > 0 && (size_t)length < size;
    path[fits ? length : 0] = '\0';
    return fits;
}

void own_program_hold(void)
{
    if (!kept[0] && !own_program_name(kept, sizeof kept))
        kept[0] = '\0';
}

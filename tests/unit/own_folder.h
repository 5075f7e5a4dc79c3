/* A folder of the test's own, which has to be empty at its end. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/uskor-test-XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

/* Fails when a test left something behind: an unfinished file, say. */
static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* A path, until the next call. */
static inline const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

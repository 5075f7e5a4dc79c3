#include "kernels/vendor_shim.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/own_program.h"

#define PATH_SIZE 3072

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The folder of a file; empty for a relative path, which does not identify one. */
static void keep_folder(char path[PATH_SIZE])
{
    char *slash = strrchr(path, '/');
    path[path[0] == '/' ? slash - path : 0] = '\0';
}

/* The file that this code was loaded from, by the system's word: the loader's may be relative. */
static void own_file(char path[PATH_SIZE])
{
    char line[PATH_SIZE + 128];
    FILE *maps = fopen("/proc/self/maps", "re");
    path[0] = '\0';
    while (maps && !path[0] && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        const char *name = strchr(line, '/');
        if (name && sscanf(line, "%lx-%lx", &from, &to) == 2 && (uintptr_t)&lock >= from && (uintptr_t)&lock < to)
            snprintf(path, PATH_SIZE, "%.*s", (int)strcspn(name, "\n"), name);
    }
    if (maps)
        fclose(maps);
}

static enum status open_shim(const struct vendor_shim *shim, struct error *error)
{
    char program[PATH_SIZE], installed[PATH_SIZE + 64], library[PATH_SIZE], beside[PATH_SIZE + 8];
    if (!own_program_name(program, sizeof program))
        program[0] = '\0';
    keep_folder(program);
    snprintf(installed, sizeof installed, "%s/%s", program, USKOR_PLUGINS_FROM_PROGRAMS);
    own_file(library);
    keep_folder(library);
    snprintf(beside, sizeof beside, "%s/uskor", library);

    const char *const folders[] = {program, installed, beside, NULL};
    const char *const names[] = {shim->file, NULL};
    struct dynamic_library description = {
        .title = shim->title, .names = names, .folders = folders, .advice = shim->advice};
    void *handle;
    return dynamic_library_open_own(&description, shim->symbols, shim->symbol_count, shim->functions, &handle, error);
}

enum status vendor_shim_open(struct vendor_shim *shim, struct error *error)
{
    pthread_mutex_lock(&lock);
    if (shim->state == 0)
        shim->state = open_shim(shim, &shim->error) == STATUS_OK ? 1 : -1;
    bool there = shim->state > 0;
    pthread_mutex_unlock(&lock);
    return there ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s", shim->error.text);
}

const char *vendor_shim_refuses(struct vendor_shim *shim, char *reason, size_t size)
{
    struct error error;
    if (vendor_shim_open(shim, &error) == STATUS_OK)
        return NULL;
    explain(reason, size, "%s", error.text);
    return reason;
}

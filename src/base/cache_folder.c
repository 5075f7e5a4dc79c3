#include "base/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/growing.h"

#define PATH_BYTES 4096

/* ---- the folder ---- */

/* The base directory specification: a relative path does not count. */
static bool find_path(char path[PATH_BYTES])
{
    const char *setting = getenv("USKOR_CACHE"), *base = getenv("XDG_CACHE_HOME"), *below = "";
    if (setting && strcmp(setting, "off") == 0)
        return false;
    if (!base || base[0] != '/') {
        base = getenv("HOME");
        below = "/.cache";
    }
    if (!base || base[0] != '/')
        return false;
    int length = snprintf(path, PATH_BYTES, "%s%s/uskor", base, below);
    return length > 0 && length < PATH_BYTES;
}

/* Most of the folders exist already; opening the last one finds a failure. */
static void make_folders(char path[PATH_BYTES])
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
}

static bool is_own(int descriptor, mode_t type)
{
    struct stat about;
    return fstat(descriptor, &about) == 0 && (about.st_mode & S_IFMT) == type && about.st_uid == geteuid() &&
           (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int checked(int descriptor, mode_t type)
{
    if (descriptor >= 0 && is_own(descriptor, type))
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

int cache_folder_open(bool make)
{
    char path[PATH_BYTES];
    if (!find_path(path))
        return -1;
    if (make)
        make_folders(path);
    return checked(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), S_IFDIR);
}

int cache_folder_file(int folder, const char *name)
{
    /* Without O_NONBLOCK the opening of a pipe would wait. */
    return checked(openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), S_IFREG);
}

/* ---- its size ---- */

struct kept {
    char name[96];
    struct timespec time; /* last written */
    uint64_t bytes;
};

static int by_age(const void *a, const void *b)
{
    const struct kept *one = a, *other = b;
    if (one->time.tv_sec != other->time.tv_sec)
        return one->time.tv_sec < other->time.tv_sec ? -1 : 1;
    return one->time.tv_nsec < other->time.tv_nsec ? -1 : one->time.tv_nsec > other->time.tv_nsec;
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && length < sizeof(((struct kept *)0)->name) && strcmp(name + length - end, suffix) == 0;
}

/* Lists the files; the caller frees *list. Returns their number. */
static size_t list_files(DIR *directory, const char *suffix, struct kept **list)
{
    size_t count = 0;
    struct stat about;
    *list = NULL;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!ends_in(entry->d_name, suffix) ||
            fstatat(dirfd(directory), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!array_grow(list, count, sizeof **list))
            break;
        struct kept *kept = &(*list)[count++];
        *kept = (struct kept){.time = about.st_mtim, .bytes = (uint64_t)about.st_size};
        strcpy(kept->name, entry->d_name);
    }
    return count;
}

void cache_folder_bound(int folder, const char *suffix, uint64_t most)
{
    int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = descriptor < 0 ? NULL : fdopendir(descriptor);
    struct kept *list = NULL;
    uint64_t bytes = 0;
    if (!directory) {
        if (descriptor >= 0)
            close(descriptor);
        return;
    }
    size_t count = list_files(directory, suffix, &list);
    for (size_t i = 0; i < count; i++)
        bytes += list[i].bytes;
    if (bytes > most) {
        qsort(list, count, sizeof *list, by_age);
        for (size_t i = 0; i < count && bytes > most / 4 * 3; i++)
            bytes -= unlinkat(folder, list[i].name, 0) == 0 ? list[i].bytes : 0;
    }
    free(list);
    closedir(directory);
}

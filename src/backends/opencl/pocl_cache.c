#include "backends/opencl/pocl_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MOST ((uint64_t)32 << 20)
#define DEPTH_MOST 6
#define PROGRAMS_MOST 4096

void pocl_cache_folder(char path[POCL_CACHE_PATH])
{
    const char *own = getenv("POCL_CACHE_DIR"), *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        snprintf(path, POCL_CACHE_PATH, "%s", own);
    else if (base && *base)
        snprintf(path, POCL_CACHE_PATH, "%s/pocl/kcache", base);
    else if (home && *home)
        snprintf(path, POCL_CACHE_PATH, "%s/.cache/pocl/kcache", home);
    else
        snprintf(path, POCL_CACHE_PATH, "/tmp/pocl/kcache");
}

/* ---- the copy --------------------------------------------------------------------------------------------------- */

/* A folder "DO/HADD…" with a program's files. */
struct program_folder {
    char name[96];
    int64_t used;
};

struct cache {
    struct program_folder programs[PROGRAMS_MOST];
    size_t count;
    uint64_t bytes;
};

static bool is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void add_programs(int folder, const char *begin, struct cache *cache)
{
    int inner = openat(folder, begin, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *programs = inner >= 0 ? fdopendir(inner) : NULL;
    for (const struct dirent *entry; programs && cache->count < PROGRAMS_MOST && (entry = readdir(programs));) {
        struct program_folder *next = &cache->programs[cache->count];
        struct stat facts;
        char mark[300];
        snprintf(mark, sizeof mark, "%.255s/last_accessed", entry->d_name);
        if (!is_visible(entry) || fstatat(inner, mark, &facts, 0) != 0 ||
            snprintf(next->name, sizeof next->name, "%s/%s", begin, entry->d_name) >= (int)sizeof next->name)
            continue;
        next->used = facts.st_mtim.tv_sec;
        cache->count++;
    }
    if (programs)
        closedir(programs);
    else if (inner >= 0)
        close(inner);
}

static int newest_first(const void *left, const void *right)
{
    const struct program_folder *a = left, *b = right;
    return a->used == b->used ? 0 : a->used < b->used ? 1 : -1;
}

static void copy_file(int from_folder, int to_folder, const char *name, struct cache *cache)
{
    struct stat facts;
    int from = openat(from_folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), to = -1;
    if (from >= 0 && fstat(from, &facts) == 0 && S_ISREG(facts.st_mode))
        to = openat(to_folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, facts.st_mode & 0700);
    for (off_t at = 0; to >= 0 && at < facts.st_size && sendfile(to, from, &at, (size_t)(facts.st_size - at)) > 0;)
        ;
    cache->bytes += to >= 0 ? (uint64_t)facts.st_size : 0;
    if (to >= 0)
        close(to);
    if (from >= 0)
        close(from);
}

/* No link is followed on either side. */
static void copy_folder(int from_above, int to_above, const char *name, int depth, struct cache *cache)
{
    (void)mkdirat(to_above, name, 0700); /* it may be there */
    int from = openat(from_above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int to = openat(to_above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *files = from >= 0 && to >= 0 ? fdopendir(from) : NULL;
    for (const struct dirent *entry; files && (entry = readdir(files));)
        if (is_visible(entry) && entry->d_type == DT_REG)
            copy_file(from, to, entry->d_name, cache);
        else if (is_visible(entry) && entry->d_type == DT_DIR && depth < DEPTH_MOST)
            copy_folder(from, to, entry->d_name, depth + 1, cache);
    if (files)
        closedir(files);
    else if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

static void copy_program(int from, int to, const char *name, struct cache *cache)
{
    char begin[96];
    snprintf(begin, sizeof begin, "%.*s", (int)strcspn(name, "/"), name);
    (void)mkdirat(to, begin, 0700);
    copy_folder(from, to, name, 0, cache);
}

void pocl_cache_copy(const char *to)
{
    char path[POCL_CACHE_PATH];
    pocl_cache_folder(path);
    struct cache *cache = calloc(1, sizeof *cache);
    int from = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), target = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *begins = cache && from >= 0 && target >= 0 ? opendir(path) : NULL;
    for (const struct dirent *entry; begins && (entry = readdir(begins));)
        if (is_visible(entry) && entry->d_type == DT_DIR)
            add_programs(from, entry->d_name, cache);
    if (begins) {
        qsort(cache->programs, cache->count, sizeof cache->programs[0], newest_first);
        for (size_t i = 0; i < cache->count && cache->bytes < BYTES_MOST; i++)
            copy_program(from, target, cache->programs[i].name, cache);
        closedir(begins);
    }
    if (from >= 0)
        close(from);
    if (target >= 0)
        close(target);
    free(cache);
}

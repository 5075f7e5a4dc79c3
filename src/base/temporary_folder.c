#include "base/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"

#define RANDOM_LETTERS 6
#define PATH_BYTES 512
#define PARENT_MOST 90
#define ATTEMPTS 8

static const char *parent_of_all(void)
{
    const char *temporary = getenv("TMPDIR");
    return temporary && temporary[0] == '/' && strlen(temporary) <= PARENT_MOST ? temporary : "/tmp";
}

static void remove_with_content(const char *path)
{
    DIR *listing = opendir(path);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char inner[PATH_BYTES];
        const bool is_named = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        if (is_named && snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < (int)sizeof inner &&
            unlink(inner) != 0)
            remove_with_content(inner);
    }
    if (listing)
        closedir(listing);
    rmdir(path);
}

bool user_is_passing(uid_t user)
{
    return user >= PASSING_USER_FIRST && user < PASSING_USER_FIRST + PASSING_USERS;
}

static bool is_own(uid_t user)
{
    return user == geteuid() || (geteuid() == 0 && user_is_passing(user));
}

/* The folder's open file, locked; -1 where a living process has it, or it is another user's. */
static int lock(const char *path)
{
    struct stat found;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder >= 0 && fstat(folder, &found) == 0 && found.st_nlink > 0 && is_own(found.st_uid) &&
        flock(folder, LOCK_EX | LOCK_NB) == 0)
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

static const char *const names[] = {
    [FOLDER_ADVICE] = "uskor-advice-", [FOLDER_GRADE] = "uskor-grade-", [FOLDER_MODULE] = "uskor-module-",
    [FOLDER_PIPE] = "uskor-pipe-",     [FOLDER_TRACE] = "uskor-trace-",
};

static bool is_our_name(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0 && strlen(name) == strlen(names[i]) + RANDOM_LETTERS)
            return true;
    return false;
}

/* Those of this process. */
static struct {
    char paths[8][sizeof((struct temporary_folder *)NULL)->path];
} made;

static void note(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(made.paths); i++)
        if (!made.paths[i][0]) {
            strcpy(made.paths[i], path);
            return;
        }
}

static void forget(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(made.paths); i++)
        if (strcmp(made.paths[i], path) == 0)
            made.paths[i][0] = '\0';
}

void temporary_folder_remove_all(void)
{
    for (size_t i = 0; i < COUNT_OF(made.paths); i++)
        if (made.paths[i][0])
            remove_with_content(made.paths[i]);
}

static void remove_leftovers(const char *parent)
{
    DIR *listing = opendir(parent);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char path[PATH_BYTES];
        if (!is_our_name(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        const int folder = lock(path);
        if (folder < 0)
            continue;
        remove_with_content(path);
        close(folder);
    }
    if (listing)
        closedir(listing);
}

enum status temporary_folder_make(enum folder_purpose purpose, struct temporary_folder *folder, struct error *error)
{
    const char *parent = parent_of_all();
    *folder = (struct temporary_folder){.lock = -1};
    remove_leftovers(parent);
    /* Before it is locked, another process may take it for a leftover. */
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(folder->path, sizeof folder->path, "%s/%sXXXXXX", parent, names[purpose]);
        if (!mkdtemp(folder->path))
            break;
        note(folder->path);
        folder->lock = lock(folder->path);
        if (folder->lock >= 0 && access(folder->path, F_OK) == 0)
            return STATUS_OK;
        temporary_folder_remove(folder);
    }
    const int reason = errno;
    *folder = (struct temporary_folder){.lock = -1};
    return fail(error, STATUS_SYSTEM, "%s: no folder to work in: %s", parent, strerror(reason));
}

static uint64_t counted;

static int count(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)path;
    (void)place;
    counted += kind == FTW_F ? (uint64_t)facts->st_blocks * 512 : 0;
    return 0;
}

uint64_t folder_bytes(const char *path)
{
    counted = 0;
    nftw(path, count, 16, FTW_PHYS);
    return counted;
}

void temporary_folder_remove(struct temporary_folder *folder)
{
    if (!folder->path[0])
        return;
    remove_with_content(folder->path);
    forget(folder->path);
    if (folder->lock >= 0)
        close(folder->lock);
    *folder = (struct temporary_folder){.lock = -1};
}

#include "files/temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "files/unfinished.h"

#define NAME_FORMAT ".uskor-%016llx.part"
#define ATTEMPTS 16

static uint64_t random_number(void)
{
    uint64_t value;
    if (getrandom(&value, sizeof value, GRND_NONBLOCK) == (ssize_t)sizeof value)
        return value;
    return (uint64_t)clock_now() * 6364136223846793005u ^ (uint64_t)getpid();
}

/* ---- what others left --------------------------------------------------------------------------------------- */

static bool is_our_name(const char *name)
{
    if (strncmp(name, ".uskor-", 7) != 0 || strlen(name) != 28 || strcmp(name + 23, ".part") != 0)
        return false;
    for (int i = 7; i < 23; i++)
        if (!isdigit((unsigned char)name[i]) && !(name[i] >= 'a' && name[i] <= 'f'))
            return false;
    return true;
}

/* A regular file of this user's with one name, which no living writer has locked: its writer was killed. */
static void remove_leftover(int folder, const char *name)
{
    struct stat found;
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() && found.st_nlink == 1 &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(descriptor);
}

static void remove_leftovers(int folder)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = copy >= 0 ? fdopendir(copy) : NULL;
    if (!listing) {
        if (copy >= 0)
            close(copy);
        return;
    }
    for (struct dirent *entry; (entry = readdir(listing));)
        if (is_our_name(entry->d_name))
            remove_leftover(folder, entry->d_name);
    closedir(listing);
}

/* ---- the file ------------------------------------------------------------------------------------------------- */

/* Without a name; only where one can be given to it later, by way of /proc. */
static bool create_nameless(struct temporary *temporary)
{
    char link[40];
    struct stat found;
    temporary->descriptor = openat(temporary->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (temporary->descriptor < 0)
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", temporary->descriptor);
    if (stat(link, &found) == 0 && S_ISREG(found.st_mode))
        return true;
    close(temporary->descriptor);
    temporary->descriptor = -1;
    return false;
}

/* Chooses a free name and lists it before the file exists, so a signal in between leaves no file behind. False when the
 * list is full or memory is out. */
static bool take_name(struct temporary *temporary)
{
    char path[PATH_MAX + sizeof temporary->name];
    snprintf(temporary->name, sizeof temporary->name, NAME_FORMAT, (unsigned long long)random_number());
    if (snprintf(path, sizeof path, "%s%s", temporary->prefix, temporary->name) < (int)sizeof path)
        temporary->slot = unfinished_enter(path);
    if (temporary->slot < 0)
        temporary->name[0] = 0;
    return temporary->slot >= 0;
}

static void drop_name(struct temporary *temporary)
{
    unfinished_leave(temporary->slot);
    temporary->slot = -1;
    temporary->name[0] = 0;
}

/* Locked, and still there: the next program's look for leftovers may have come before the lock. */
static bool lock(const struct temporary *temporary)
{
    struct stat made;
    return flock(temporary->descriptor, LOCK_EX | LOCK_NB) != 0 ||
           (fstat(temporary->descriptor, &made) == 0 && made.st_nlink == 1);
}

static enum status create_named(const char *path, struct temporary *temporary, struct error *error)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!take_name(temporary))
            return fail(error, STATUS_UNAVAILABLE, "%s: too many files are being written at once", path);
        temporary->descriptor =
            openat(temporary->folder, temporary->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (temporary->descriptor >= 0 && lock(temporary))
            return STATUS_OK;
        int reason = temporary->descriptor >= 0 ? EEXIST : errno;
        if (temporary->descriptor >= 0)
            close(temporary->descriptor);
        temporary->descriptor = -1;
        drop_name(temporary);
        if (reason != EEXIST)
            return fail(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(reason));
    }
    return fail(error, STATUS_SYSTEM, "%s: no free name for a temporary file beside it", path);
}

static enum status open_folder(const char *target, const char *path, struct temporary *temporary, struct error *error)
{
    const char *slash = strrchr(target, '/');
    temporary->prefix = slash ? strndup(target, (size_t)(slash - target + 1)) : strdup("./");
    const char *folder = temporary->prefix;
    if (!folder)
        return fail(error, STATUS_UNAVAILABLE, "%s: out of memory", path);
    temporary->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (temporary->folder < 0 && errno == EACCES) /* a folder that can be written to and not read */
        temporary->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int reason = errno;
    if (temporary->folder >= 0)
        return STATUS_OK;
    if (reason == ENOENT || reason == ENOTDIR)
        return fail(error, STATUS_INVALID, "%s: its folder does not exist", path);
    return fail(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(reason));
}

enum status temporary_create(const char *target, const char *path, struct temporary *temporary, struct error *error)
{
    *temporary = (struct temporary){.folder = -1, .descriptor = -1, .slot = -1};
    unfinished_prepare();
    enum status status = open_folder(target, path, temporary, error);
    if (status != STATUS_OK) {
        temporary_end(temporary);
        return status;
    }
    remove_leftovers(temporary->folder);
    if (!create_nameless(temporary))
        status = create_named(path, temporary, error);
    if (status != STATUS_OK)
        temporary_end(temporary);
    return status;
}

/* ---- its name ------------------------------------------------------------------------------------------------- */

static int link_nameless(const struct temporary *temporary, const char *base)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", temporary->descriptor);
    return linkat(AT_FDCWD, link, temporary->folder, base, AT_SYMLINK_FOLLOW);
}

/* A file that replaces another needs a temporary name for the rename. */
static int name_for_a_moment(struct temporary *temporary)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!take_name(temporary)) {
            errno = ENOMEM;
            return -1;
        }
        flock(temporary->descriptor, LOCK_EX | LOCK_NB);
        if (link_nameless(temporary, temporary->name) == 0)
            return 0;
        int reason = errno;
        drop_name(temporary);
        errno = reason;
        if (reason != EEXIST)
            return -1;
    }
    return -1;
}

/* A target that appeared while the work ran is not overwritten without leave. */
static int rename_named(struct temporary *temporary, const char *base, bool replaces)
{
    int folder = temporary->folder;
    struct stat found;
    if (replaces)
        return renameat(folder, temporary->name, folder, base);
    if (renameat2(folder, temporary->name, folder, base, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (fstatat(folder, base, &found, AT_SYMLINK_NOFOLLOW) == 0) { /* a file system without the flag */
        errno = EEXIST;
        return -1;
    }
    return renameat(folder, temporary->name, folder, base);
}

int temporary_show(struct temporary *temporary)
{
    return temporary->name[0] ? 0 : name_for_a_moment(temporary);
}

int temporary_give_name(struct temporary *temporary, const char *base, bool replaces)
{
    if (!temporary->name[0] && !replaces)
        return link_nameless(temporary, base);
    if (!temporary->name[0] && name_for_a_moment(temporary) != 0)
        return -1;
    if (rename_named(temporary, base, replaces) != 0)
        return -1;
    drop_name(temporary);
    return 0;
}

void temporary_end(struct temporary *temporary)
{
    if (temporary->name[0] && temporary->descriptor >= 0)
        unlinkat(temporary->folder, temporary->name, 0);
    drop_name(temporary);
    if (temporary->descriptor >= 0)
        close(temporary->descriptor);
    if (temporary->folder >= 0)
        close(temporary->folder);
    free(temporary->prefix);
    *temporary = (struct temporary){.folder = -1, .descriptor = -1, .slot = -1};
}

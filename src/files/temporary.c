#include "files/temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "files/output.h"

/* The unfinished files of this process: a list that a signal handler may walk. */

enum slot_state {
    SLOT_FREE,
    SLOT_TAKEN, /* its path is being written: not for the handler */
    SLOT_LISTED,
};

static struct {
    atomic_int state;
    char path[PATH_MAX];
} slots[16];

void output_remove_unfinished(void)
{
    for (size_t i = 0; i < COUNT_OF(slots); i++)
        if (atomic_load(&slots[i].state) == SLOT_LISTED)
            unlink(slots[i].path);
}

/* The default comes back only when the files are gone: a second signal that comes meanwhile (to another thread, even)
 * removes them too, and does not end the program halfway. Ends with the status that the parent expects. */
void output_end_by_signal(int number)
{
    output_remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static void replace_default(int number, void (*handler)(int))
{
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0 || (current.sa_flags & SA_SIGINFO) || current.sa_handler != SIG_DFL)
        return;
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* What does not end a program, or is another's: SIGBUS is mapping.c's. SIGKILL and SIGSTOP cannot be caught. */
static bool is_left_alone(int number)
{
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU, SIGCONT,
                                 SIGCHLD, SIGURG,  SIGWINCH, SIGXFSZ, SIGBUS};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (others[i] == number)
            return true;
    return false;
}

static void install_handlers(void)
{
    for (int number = 1; number <= SIGRTMAX; number++)
        if (!is_left_alone(number))
            replace_default(number, output_end_by_signal);
    replace_default(SIGXFSZ, SIG_IGN);
}

/* Installs the handlers described in output.h, once. */
static void unfinished_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handlers);
}

/* Enters `path` (copied) before the file is created; the returned slot, or -1 when the list is full or the path too
 * long. */
static int unfinished_enter(const char *path)
{
    unfinished_prepare();
    size_t length = strlen(path);
    if (length >= sizeof slots[0].path)
        return -1;
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        int expected = SLOT_FREE;
        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_TAKEN))
            continue;
        memcpy(slots[i].path, path, length + 1);
        atomic_store(&slots[i].state, SLOT_LISTED);
        return (int)i;
    }
    return -1;
}

/* Takes it off the list; the file itself is not touched. */
static void unfinished_leave(int slot)
{
    if (slot >= 0)
        atomic_store(&slots[slot].state, SLOT_FREE);
}

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

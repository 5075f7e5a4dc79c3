#include "base/child_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define DENSE 32
#define STRIDE 16
#define SHARE 8 /* the share of the descriptor limit that is watched, 1/N: drivers open files too */

/* The file behind a descriptor. */
struct identity {
    bool is_watched;
    dev_t device;
    ino_t inode;
};

static struct identity known[CHILD_FILES_MOST]; /* by number */
static int known_next;                          /* the number that the next file was to get */

static struct identity identity_of(int descriptor)
{
    struct stat found;
    if (fstat(descriptor, &found) != 0)
        return (struct identity){0};
    return (struct identity){.is_watched = true, .device = found.st_dev, .inode = found.st_ino};
}

void child_files_watch(int descriptor)
{
    if (descriptor >= 0 && descriptor < CHILD_FILES_MOST)
        known[descriptor] = identity_of(descriptor);
}

/* The descriptor with this number if it is free; otherwise the new one is closed again. */
static bool take(int file, int descriptor)
{
    int taken = fcntl(file, F_DUPFD_CLOEXEC, descriptor);
    if (taken >= 0 && taken != descriptor)
        close(taken);
    if (taken == descriptor)
        child_files_watch(descriptor);
    return taken == descriptor;
}

static int next_number(void)
{
    int next = dup(STDERR_FILENO);
    if (next >= 0)
        close(next);
    return next;
}

void child_files_plant(void)
{
    struct rlimit limit = {0};
    int ends[2] = {-1, -1}, file = pipe2(ends, O_CLOEXEC) == 0 ? ends[0] : -1; /* a file that nobody else has */
    int left = getrlimit(RLIMIT_NOFILE, &limit) != 0               ? 0
               : limit.rlim_cur / SHARE < (rlim_t)CHILD_FILES_MOST ? (int)(limit.rlim_cur / SHARE)
                                                                   : CHILD_FILES_MOST;
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        child_files_watch(i);
    if (ends[1] >= 0)
        close(ends[1]);
    child_files_watch(file);
    for (int i = STDERR_FILENO + 1; file >= 0 && left > 0 && i < CHILD_FILES_MOST; i++)
        if (i < DENSE || i % STRIDE == 0)
            left -= take(file, i);
}

static bool is_kept(int descriptor)
{
    struct identity now = identity_of(descriptor);
    return now.is_watched && now.device == known[descriptor].device && now.inode == known[descriptor].inode;
}

void child_files_note(void)
{
    known_next = next_number();
}

bool child_files_are_kept(void)
{
    for (int i = 0; i < CHILD_FILES_MOST; i++)
        if (known[i].is_watched && !is_kept(i))
            return false;
    return true;
}

bool child_files_are_closed(void)
{
    return next_number() == known_next;
}

void child_files_close_strange(void)
{
    for (int i = 0; i < CHILD_FILES_MOST; i++)
        if (known[i].is_watched && !is_kept(i)) {
            close(i);
            known[i] = (struct identity){0};
        }
}

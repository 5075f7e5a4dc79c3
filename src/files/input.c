#include "files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/planted.h"

/* A clock's tick of the coarsest kernels: two changes within one have the same time. */
#define TICK_NS 10000000

static int64_t nanoseconds_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A file that was changed just now could be changed once more without its time telling: that is waited for. */
static void let_it_rest(struct timespec changed)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return;
    int64_t age = nanoseconds_of(now) - nanoseconds_of(changed);
    if (age >= 0 && age < TICK_NS)
        nanosleep(&(struct timespec){.tv_nsec = (long)(TICK_NS - age)}, NULL);
}

static enum status refuse_kind(const struct stat *found, const char *path, const char *kind, struct error *error)
{
    if (S_ISDIR(found->st_mode))
        return fail(error, STATUS_INVALID, "%s: is a folder, not a %s file", path, kind);
    if (!S_ISREG(found->st_mode))
        return fail(error, STATUS_INVALID, "%s: is not a regular file; pipes and devices cannot be read as %s files",
                    path, kind);
    if ((uintmax_t)found->st_size > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "%s: is too large for this machine's addresses", path);
    return STATUS_OK;
}

enum status input_open(const char *path, const char *kind, struct input *input, struct error *error)
{
    struct stat found;
    if (link_is_planted(path))
        return fail(error, STATUS_INVALID, "%s: a link that somebody else has put into a shared folder", path);
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (opened < 0)
        return fail(error, errno == ENOENT ? STATUS_INVALID : STATUS_SYSTEM, "%s: cannot be opened: %s", path,
                    strerror(errno));
    enum status status = fstat(opened, &found) == 0 ? refuse_kind(&found, path, kind, error)
                                                    : fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if (status == STATUS_OK) {
        if (found.st_nlink > 0)         /* one without a name is out of others' reach */
            let_it_rest(found.st_ctim); /* never before the other, but where the owner has set that one */
        if (fstat(opened, &found) != 0)
            status = fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (status != STATUS_OK) {
        close(opened);
        return status;
    }
    *input = (struct input){.descriptor = opened, .size = (size_t)found.st_size, .found = found};
    return STATUS_OK;
}

void input_close(struct input *input)
{
    close(input->descriptor);
    input->descriptor = -1;
}

/* Changed, and given its old time again ("touch -r", "rsync --inplace"): the system notes a time of its own, which also
 * moves on with a name, a mode or an owner. */
static bool is_set_back(const struct stat *before, const struct stat *now)
{
    return nanoseconds_of(now->st_ctim) != nanoseconds_of(before->st_ctim) && now->st_nlink == before->st_nlink &&
           now->st_mode == before->st_mode && now->st_uid == before->st_uid && now->st_gid == before->st_gid;
}

enum status input_check(const struct input *input, const char *path, struct error *error)
{
    struct stat now;
    if (fstat(input->descriptor, &now) != 0)
        return fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if ((uintmax_t)now.st_size != input->size)
        return fail(error, STATUS_SYSTEM, "%s: had %zu bytes and has %jd now: it was changed while it was in use", path,
                    input->size, (intmax_t)now.st_size);
    if (nanoseconds_of(now.st_mtim) != nanoseconds_of(input->found.st_mtim) || is_set_back(&input->found, &now))
        return fail(error, STATUS_SYSTEM, "%s: was changed while it was in use", path);
    if (stat(path, &now) == 0 && (now.st_ino != input->found.st_ino || now.st_dev != input->found.st_dev))
        return fail(error, STATUS_SYSTEM, "%s: was replaced by another file while it was in use", path);
    return STATUS_OK;
}

#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "files/unfinished.h"

struct output {
    char *path;      /* as the user wrote it */
    char *target;    /* what is renamed to: path, or where a symbolic link leads */
    char *temporary; /* the unfinished file */
    int descriptor;
    int slot;      /* on the list of unfinished files */
    bool replaces; /* an existing target may be overwritten */
    mode_t mode;   /* of the file that is replaced; 0: there was none */
};

/* Everything but the file itself. */
static void discard(struct output *output)
{
    unfinished_leave(output->slot);
    free(output->temporary);
    free(output->target);
    free(output->path);
    free(output);
}

void output_abandon(struct output *output)
{
    if (!output)
        return;
    if (output->descriptor >= 0) {
        close(output->descriptor);
        unlink(output->temporary);
    }
    discard(output);
}

/* Follows a symbolic link, so that the file it leads to is replaced and not the link. */
static enum status resolve(struct output *output, const struct stat *found, struct error *error)
{
    if (!S_ISLNK(found->st_mode)) {
        output->target = strdup(output->path);
        return output->target ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s: out of memory", output->path);
    }
    output->target = realpath(output->path, NULL);
    if (!output->target) {
        int reason = errno;
        struct stat beyond; /* a pipe has no path: /dev/stdout may lead to one */
        if (stat(output->path, &beyond) == 0)
            return fail(error, STATUS_INVALID, "%s: is not a regular file, so it cannot be replaced", output->path);
        return fail(error, STATUS_INVALID, "%s: a symbolic link that leads nowhere (%s)", output->path,
                    strerror(reason));
    }
    return STATUS_OK;
}

/* Decides what the rename will meet. */
static enum status inspect_target(struct output *output, bool force, struct error *error)
{
    struct stat found = {0};
    if (output->path[0] == '\0')
        return fail(error, STATUS_INVALID, "the output needs a file name; this one is empty");
    if (strcmp(output->path, "-") == 0)
        return fail(error, STATUS_INVALID, "-: the result cannot go to standard output; name a file");
    bool exists = lstat(output->path, &found) == 0;
    if (!exists && errno != ENOENT)
        return fail(error, STATUS_INVALID, "%s: %s", output->path, strerror(errno));
    enum status status = resolve(output, &found, error);
    if (status != STATUS_OK || !exists)
        return status;
    if (S_ISLNK(found.st_mode) && stat(output->target, &found) != 0)
        return fail(error, STATUS_INVALID, "%s: %s", output->path, strerror(errno));
    if (S_ISDIR(found.st_mode))
        return fail(error, STATUS_INVALID, "%s: is a folder; name a file", output->path);
    if (!S_ISREG(found.st_mode))
        return fail(error, STATUS_INVALID, "%s: is not a regular file, so it cannot be replaced", output->path);
    if (!force)
        return fail(error, STATUS_INVALID, "%s: exists already; --force overwrites it", output->path);
    output->replaces = true;
    output->mode = found.st_mode & 0777;
    return STATUS_OK;
}

static uint64_t random_number(void)
{
    uint64_t value;
    if (getrandom(&value, sizeof value, GRND_NONBLOCK) == (ssize_t)sizeof value)
        return value;
    return (uint64_t)clock_now() * 6364136223846793005u ^ (uint64_t)getpid();
}

/* "folder/.uskor-0123456789abcdef.part": the same folder, so that the rename stays on one file system. */
static char *temporary_name(const char *target)
{
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target + 1) : 0;
    char *name = NULL;
    if (asprintf(&name, "%.*s.uskor-%016llx.part", folder, target, (unsigned long long)random_number()) < 0)
        return NULL;
    return name;
}

static enum status create_temporary(struct output *output, struct error *error)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        free(output->temporary);
        output->temporary = temporary_name(output->target);
        if (!output->temporary)
            return fail(error, STATUS_UNAVAILABLE, "%s: out of memory", output->path);
        /* Listed before it exists: a signal between the two finds nothing to remove, never a file left behind. */
        output->slot = unfinished_enter(output->temporary);
        if (output->slot < 0)
            return fail(error, STATUS_UNAVAILABLE, "%s: too many files are being written at once", output->path);
        output->descriptor = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->descriptor >= 0)
            return STATUS_OK;
        int reason = errno;
        unfinished_leave(output->slot);
        output->slot = -1;
        if (reason == ENOENT || reason == ENOTDIR)
            return fail(error, STATUS_INVALID, "%s: its folder does not exist", output->path);
        if (reason != EEXIST)
            return fail(error, STATUS_SYSTEM, "%s: cannot be written: %s", output->path, strerror(reason));
    }
    return fail(error, STATUS_SYSTEM, "%s: no free name for a temporary file beside it", output->path);
}

enum status output_create(const char *path, bool force, struct output **output, struct error *error)
{
    struct output *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: out of memory", path);
    made->descriptor = -1;
    made->slot = -1;
    made->path = strdup(path);
    enum status status =
        made->path ? inspect_target(made, force, error) : fail(error, STATUS_UNAVAILABLE, "out of memory");
    if (status == STATUS_OK)
        status = create_temporary(made, error);
    if (status == STATUS_OK && made->replaces && fchmod(made->descriptor, made->mode) != 0)
        status = fail(error, STATUS_SYSTEM, "%s: its mode cannot be kept: %s", path, strerror(errno));
    if (status != STATUS_OK) {
        output_abandon(made);
        return status;
    }
    *output = made;
    return STATUS_OK;
}

const char *output_path(const struct output *output)
{
    return output->path;
}

int output_descriptor(const struct output *output)
{
    return output->descriptor;
}

static enum status space_error(const struct output *output, size_t bytes, int reason, struct error *error)
{
    char needed[32];
    text_bytes((double)bytes, needed, sizeof needed);
    if (reason == ENOSPC || reason == EDQUOT)
        return fail(error, STATUS_SYSTEM, "%s: no room on its disk for %s", output->path, needed);
    if (reason == EFBIG)
        return fail(error, STATUS_SYSTEM, "%s: %s is more than a file may have here (ulimit -f, or the file system)",
                    output->path, needed);
    return fail(error, STATUS_SYSTEM, "%s: %s cannot be written: %s", output->path, needed, strerror(reason));
}

enum status output_reserve(struct output *output, size_t bytes, struct error *error)
{
    if (bytes > PTRDIFF_MAX)
        return space_error(output, bytes, EFBIG, error);
    /* Asked first: some file systems fill the disk to its brim before they notice that it is not enough. */
    struct statvfs disk;
    if (fstatvfs(output->descriptor, &disk) == 0 && disk.f_blocks > 0 && bytes / disk.f_frsize > (size_t)disk.f_bavail)
        return space_error(output, bytes, ENOSPC, error);
    int reason = 0;
    do
        reason = bytes > 0 ? posix_fallocate(output->descriptor, 0, (off_t)bytes) : 0;
    while (reason == EINTR);
    return reason == 0 ? STATUS_OK : space_error(output, bytes, reason, error);
}

enum status output_write(struct output *output, const void *data, size_t bytes, struct error *error)
{
    const char *from = data;
    for (size_t done = 0; done < bytes;) {
        ssize_t written = write(output->descriptor, from + done, bytes - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return space_error(output, bytes, written < 0 ? errno : EIO, error);
        done += (size_t)written;
    }
    return STATUS_OK;
}

/* The rename itself. A target that appeared while the work ran is not overwritten without leave. */
static int give_name(const struct output *output)
{
    if (output->replaces)
        return rename(output->temporary, output->target);
    if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->target, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    struct stat found; /* a file system without the flag: look, then rename */
    if (lstat(output->target, &found) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(output->temporary, output->target);
}

/* Makes the new name survive a power failure; file systems that cannot do it are not an error. */
static void synchronize_folder(const char *target)
{
    const char *slash = strrchr(target, '/');
    char *folder = slash ? strndup(target, (size_t)(slash - target + 1)) : strdup(".");
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

enum status output_finish(struct output *output, struct error *error)
{
    enum status status = STATUS_OK;
    if (fsync(output->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        status = fail(error, STATUS_SYSTEM, "%s: could not be written to its disk: %s", output->path, strerror(errno));
    else if (give_name(output) != 0)
        status = errno == EEXIST
                     ? fail(error, STATUS_INVALID,
                            "%s: appeared while the result was being made; --force overwrites it", output->path)
                     : fail(error, STATUS_SYSTEM, "%s: cannot be put in place: %s", output->path, strerror(errno));
    if (status != STATUS_OK) {
        output_abandon(output);
        return status;
    }
    close(output->descriptor);
    synchronize_folder(output->target);
    discard(output);
    return STATUS_OK;
}

#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/planted.h"
#include "base/text.h"
#include "base/write_whole.h"
#include "files/sqlite_file.h"
#include "files/temporary.h"

struct output {
    char *path;   /* as the user wrote it */
    char *target; /* what is named or replaced: path, or where a symbolic link leads */
    struct temporary temporary;
    bool replaces; /* an existing target may be overwritten */
    mode_t mode;   /* of the file that is replaced */
};

void output_abandon(struct output *output)
{
    if (!output)
        return;
    temporary_end(&output->temporary);
    free(output->target);
    free(output->path);
    free(output);
}

/* Follows a symbolic link, so that the file it leads to is replaced and not the link. */
static enum status resolve(struct output *output, const struct stat *found, struct error *error)
{
    if (link_is_planted(output->path))
        return fail(error, STATUS_INVALID, "%s: a link that somebody else has put into a shared folder", output->path);
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

static enum status refuse_database(const struct output *output, struct error *error)
{
    return fail(error, STATUS_INVALID, "%s: a store, or part of one, is not overwritten; name another file",
                output->path);
}

/* The file that the rename would replace. */
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
    if (sqlite_file_is_part(output->target))
        return refuse_database(output, error);
    if (!force)
        return fail(error, STATUS_INVALID, "%s: exists already; --force overwrites it", output->path);
    output->replaces = true;
    output->mode = found.st_mode & 0777;
    return STATUS_OK;
}

enum status output_create(const char *path, bool force, struct output **output, struct error *error)
{
    struct output *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: out of memory", path);
    made->temporary = (struct temporary){.folder = -1, .descriptor = -1, .slot = -1};
    made->path = strdup(path);
    enum status status =
        made->path ? inspect_target(made, force, error) : fail(error, STATUS_UNAVAILABLE, "out of memory");
    if (status == STATUS_OK)
        status = temporary_create(made->target, path, &made->temporary, error);
    if (status == STATUS_OK && made->replaces && fchmod(made->temporary.descriptor, made->mode) != 0)
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
    return output->temporary.descriptor;
}

enum status output_share(struct output *output, char *path, size_t size, struct error *error)
{
    if (temporary_show(&output->temporary) != 0)
        return fail(error, STATUS_SYSTEM, "%s: cannot be shared with other processes: %s", output->path,
                    strerror(errno));
    const char *folder = output->temporary.prefix, *name = output->temporary.name;
    if (snprintf(path, size, "%s%s", folder, name) >= (int)size)
        return fail(error, STATUS_INVALID, "%s: its name is too long", output->path);
    return STATUS_OK;
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
    if (fstatvfs(output->temporary.descriptor, &disk) == 0 && disk.f_blocks > 0 &&
        bytes / disk.f_frsize > (size_t)disk.f_bavail)
        return space_error(output, bytes, ENOSPC, error);
    int reason = 0;
    do
        reason = bytes > 0 ? posix_fallocate(output->temporary.descriptor, 0, (off_t)bytes) : 0;
    while (reason == EINTR);
    return reason == 0 ? STATUS_OK : space_error(output, bytes, reason, error);
}

enum status output_write(struct output *output, const void *data, size_t bytes, struct error *error)
{
    return write_whole(output->temporary.descriptor, data, bytes) ? STATUS_OK
                                                                  : space_error(output, bytes, errno, error);
}

static const char *base_of(const char *target)
{
    const char *slash = strrchr(target, '/');
    return slash ? slash + 1 : target;
}

enum status output_finish(struct output *output, struct error *error)
{
    enum status status = STATUS_OK;
    if (fsync(output->temporary.descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        status = fail(error, STATUS_SYSTEM, "%s: could not be written to its disk: %s", output->path, strerror(errno));
    else if (output->replaces && sqlite_file_is_part(output->target))
        status = refuse_database(output, error);
    else if (temporary_give_name(&output->temporary, base_of(output->target), output->replaces) != 0)
        status = errno == EEXIST
                     ? fail(error, STATUS_INVALID,
                            "%s: appeared while the result was being made; --force overwrites it", output->path)
                     : fail(error, STATUS_SYSTEM, "%s: cannot be put in place: %s", output->path, strerror(errno));
    if (status == STATUS_OK)
        fsync(output->temporary.folder); /* the name survives a power failure; file systems that cannot sync a folder
                                            are not an error */
    output_abandon(output);
    return status;
}

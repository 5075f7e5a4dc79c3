#include "cli/options/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/terminal.h"

#define BLOCK_BYTES (1 << 20)
#define PATIENCE_MS 2000

static enum status copy_all(int from, int to, const char *name, struct error *error)
{
    static const size_t block = BLOCK_BYTES;
    char *bytes = malloc(block);
    enum status status = bytes ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for a pipe");
    for (ssize_t taken = 1; status == STATUS_OK && taken;) {
        taken = read(from, bytes, block);
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            status = fail(error, STATUS_SYSTEM, "%s: cannot read: %s", name, strerror(errno));
        for (ssize_t at = 0, done; status == STATUS_OK && at<taken; at += done> 0 ? done : 0) {
            done = write(to, bytes + at, (size_t)(taken - at));
            if (done < 0 && errno != EINTR)
                status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", name, strerror(errno));
        }
    }
    free(bytes);
    return status;
}

/* A name in the folder, which is made where there is none yet. */
static enum status name_file(struct pipes *pipes, const char *name, const char *end, const char **path,
                             struct error *error)
{
    enum status status = pipes->count ? STATUS_OK : temporary_folder_make(FOLDER_PIPE, &pipes->folder, error);
    if (status != STATUS_OK)
        return status;
    if (pipes->count == PIPES_MAX)
        return fail(error, STATUS_INVALID, "more than %d pipes", PIPES_MAX);
    char *made = pipes->paths[pipes->count++], folder[sizeof pipes->folder.path];
    memcpy(folder, pipes->folder.path, sizeof folder);
    snprintf(made, sizeof pipes->paths[0], "%s/%s%s", folder, name, end);
    *path = made;
    return STATUS_OK;
}

static bool is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

/* A FIFO's name is opened without waiting for somebody who may never come; what a shell has opened (/dev/fd/63) has its
 * writer. Whoever has begun to write may take his time. */
static enum status open_pipe(const char *path, int *file, struct error *error)
{
    const bool is_open = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    *file = open(path, O_RDONLY | O_CLOEXEC | (is_open ? 0 : O_NONBLOCK));
    struct pollfd asked = {.fd = *file, .events = POLLIN};
    if (*file < 0)
        return fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if (is_open || (poll(&asked, 1, PATIENCE_MS) > 0 && fcntl(*file, F_SETFL, 0) == 0))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: is not a regular file, and nobody writes to it", path);
}

enum status pipes_input(struct pipes *pipes, const char **path, const char *end, struct error *error)
{
    const bool is_standard = strcmp(*path, "-") == 0;
    const char *given = *path, *name = is_standard ? "standard-input" : "pipe";
    if (!is_standard && !is_pipe(given))
        return STATUS_OK;
    if (!end)
        return fail(error, STATUS_INVALID, "%s: this command reads files only", given);
    if (is_standard && pipes->has_input)
        return fail(error, STATUS_INVALID, "only one input can be '-'");
    if (is_standard && is_terminal(STDIN_FILENO))
        return fail(error, STATUS_INVALID, "'-' is a terminal: give a file, or a pipe");
    pipes->has_input = pipes->has_input || is_standard;
    char own[32];
    snprintf(own, sizeof own, "%s-%d", name, pipes->count + 1);
    enum status status = name_file(pipes, own, end, path, error);
    if (status != STATUS_OK)
        return status;
    int from = STDIN_FILENO;
    const int to = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    status = to >= 0 ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: %s", *path, strerror(errno));
    if (status == STATUS_OK && !is_standard)
        status = open_pipe(given, &from, error);
    if (status == STATUS_OK)
        status = copy_all(from, to, given, error);
    if (from > STDIN_FILENO)
        close(from);
    if (to >= 0 && close(to) != 0 && status == STATUS_OK)
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", *path, strerror(errno));
    return status;
}

enum status pipes_output(struct pipes *pipes, const char **path, const char *end, struct error *error)
{
    if (strcmp(*path, "-") != 0)
        return STATUS_OK;
    if (!end)
        return fail(error, STATUS_INVALID, "-o -: this command writes files only");
    if (is_terminal(STDOUT_FILENO))
        return fail(error, STATUS_INVALID, "-o -: standard output is a terminal, which shows no %s file", end);
    enum status status = name_file(pipes, "standard-output", end, path, error);
    pipes->output = *path;
    return status;
}

enum status pipes_close(struct pipes *pipes, enum status status, struct error *error)
{
    if (status == STATUS_OK && pipes->output) {
        int from = open(pipes->output, O_RDONLY | O_CLOEXEC);
        status = from >= 0 ? copy_all(from, STDOUT_FILENO, "standard output", error)
                           : fail(error, STATUS_SYSTEM, "%s: %s", pipes->output, strerror(errno));
        if (from >= 0)
            close(from);
    }
    temporary_folder_remove(&pipes->folder);
    *pipes = (struct pipes){.has_input = false};
    return status;
}

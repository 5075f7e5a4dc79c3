#include "explain/compiled/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/own_program.h"

#define ARGUMENTS_MOST 16
#define WORDS_SHOWN 300

/* ---- finding the tool ---- */

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

static bool try_path(const char *folder, const char *rest, const char *name, char path[TOOL_PATH_MAX])
{
    if (!folder || !*folder)
        return false;
    int length = snprintf(path, TOOL_PATH_MAX, "%s%s/%s", folder, rest, name);
    return length > 0 && length < TOOL_PATH_MAX && is_program(path);
}

static bool is_in_path(const char *name, char path[TOOL_PATH_MAX])
{
    const char *list = getenv("PATH");
    char folder[TOOL_PATH_MAX];
    while (list && *list) {
        size_t length = strcspn(list, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, list);
        if (length < sizeof folder && try_path(folder, "", name, path))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

static bool is_beside(const char *name, char path[TOOL_PATH_MAX])
{
    char own[TOOL_PATH_MAX];
    if (!own_program_name(own, sizeof own))
        return false;
    char *end = strrchr(own, '/');
    if (!end)
        return false;
    *end = '\0';
    char folder[64];
    snprintf(folder, sizeof folder, "/%s", name);
    if (try_path(own, "", name, path) || try_path(own, folder, name, path))
        return true;
    snprintf(folder, sizeof folder, "/../%s", name);
    return try_path(own, folder, name, path);
}

enum status tool_find(const char *name, const char *own, const char *advice, char path[TOOL_PATH_MAX],
                      struct error *error)
{
    if (own && *own) {
        snprintf(path, TOOL_PATH_MAX, "%s", own);
        return is_program(path) ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s is not a program", own);
    }
    if (is_beside(name, path) || try_path(getenv("CUDA_PATH"), "/bin", name, path) ||
        try_path("/usr/local/cuda", "/bin", name, path) || is_in_path(name, path))
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE, "%s is not here: %s", name, advice);
}

/* ---- running it ---- */

static bool write_all(int descriptor, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t count = write(descriptor, data, bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        data += count;
        bytes -= (size_t)count;
    }
    return true;
}

/* An anonymous memory file; -1 if the system provides none. The child inherits the descriptor on purpose. */
static int hold(const void *data, size_t bytes)
{
    int descriptor = memfd_create("code", 0);
    if (descriptor >= 0 && !write_all(descriptor, data, bytes)) {
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

static char *read_all(int descriptor)
{
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc(capacity);
    while (text) {
        if (capacity - used < 4096) {
            char *more = realloc(text, capacity *= 2);
            if (!more)
                break;
            text = more;
        }
        ssize_t count = read(descriptor, text + used, capacity - used - 1);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            text[used] = '\0';
            return text;
        }
        used += (size_t)count;
    }
    free(text);
    return NULL;
}

static enum status start(const char *path, char *const *arguments, int output, pid_t *child, struct error *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    int code = posix_spawn(child, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s does not start: %s", path, strerror(code));
}

/* Fails with the tool's output, in one line, if the tool failed. */
static enum status judge(const char *path, int state, char *said, struct error *error)
{
    if (!said)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its output", path);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return STATUS_OK;
    size_t length = strlen(said);
    const char *end = length > WORDS_SHOWN ? said + length - WORDS_SHOWN : said;
    for (char *at = said; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return fail(error, STATUS_UNAVAILABLE, "%s failed: %s", path, end);
}

static enum status run(const char *path, char *const *arguments, char **output, struct error *error)
{
    int ends[2], state = 0;
    pid_t child = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(error, STATUS_SYSTEM, "%s: no pipe: %s", path, strerror(errno));
    enum status status = start(path, arguments, ends[1], &child, error);
    close(ends[1]);
    if (status == STATUS_OK) {
        *output = read_all(ends[0]);
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            ;
        status = judge(path, state, *output, error);
    }
    close(ends[0]);
    return status;
}

enum status tool_run(const char *path, const char *const *arguments, const void *data, size_t bytes, char **output,
                     struct error *error)
{
    char file[64], response[72];
    char *list[ARGUMENTS_MOST + 1];
    size_t count = 0;
    *output = NULL;
    int descriptor = hold(data, bytes);
    if (descriptor < 0)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for %zu bytes of machine code", path, bytes);
    snprintf(file, sizeof file, "/proc/self/fd/%d", descriptor);
    snprintf(response, sizeof response, "@%s", file);
    for (; arguments[count] && count < ARGUMENTS_MOST; count++)
        list[count] = strcmp(arguments[count], "@") == 0    ? file
                      : strcmp(arguments[count], "@@") == 0 ? response
                                                            : (char *)(uintptr_t)arguments[count];
    list[count] = NULL;
    enum status status = run(path, list, output, error);
    close(descriptor);
    if (status != STATUS_OK) {
        free(*output);
        *output = NULL;
    }
    return status;
}

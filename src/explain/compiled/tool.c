#include "explain/compiled/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own_program.h"
#include "base/size.h"
#include "base/write_whole.h"
#include "walls/program.h"
#include "walls/service.h"

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

bool tool_in_path(const char *name, char path[TOOL_PATH_MAX])
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

/* Inside the walls no tool is in sight: a request of its name alone asks whether it is there. */
static bool is_served(const char *name, char path[TOOL_PATH_MAX])
{
    size_t bytes;
    char *answer = service_ask(TOOL_SERVICE, name, strlen(name) + 1, &bytes);
    const bool is = answer && answer[0] == '0';
    free(answer);
    snprintf(path, TOOL_PATH_MAX, "%s", name);
    return is;
}

enum status tool_find(const char *name, const char *own, const char *advice, char path[TOOL_PATH_MAX],
                      struct error *error)
{
    if (service_is_there())
        return is_served(name, path) ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s is not here: %s", name, advice);
    if (own && *own) {
        snprintf(path, TOOL_PATH_MAX, "%s", own);
        return is_program(path) ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s is not a program", own);
    }
    if (is_beside(name, path) || try_path(getenv("CUDA_PATH"), "/bin", name, path) ||
        try_path("/usr/local/cuda", "/bin", name, path) || tool_in_path(name, path))
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE, "%s is not here: %s", name, advice);
}

/* ---- running it ---- */

/* An anonymous memory file with the data, at its begin; -1 if the system provides none. */
static int hold(const void *data, size_t bytes)
{
    int descriptor = memfd_create("code", MFD_CLOEXEC);
    if (descriptor < 0 || (write_whole(descriptor, data, bytes) && lseek(descriptor, 0, SEEK_SET) == 0))
        return descriptor;
    close(descriptor);
    return -1;
}

/* The file's content, terminated; the caller frees it. */
static char *read_all(int file)
{
    struct stat about;
    char *text = fstat(file, &about) == 0 ? malloc((size_t)about.st_size + 1) : NULL;
    ssize_t count = text ? pread(file, text, (size_t)about.st_size, 0) : 0;
    if (text)
        text[count > 0 ? count : 0] = '\0';
    return text;
}

static int run(const struct tool_call *call, const char *const *readable, bool is_own, char **output)
{
    const char *list[TOOL_ARGUMENTS_MOST + 1] = {NULL};
    for (size_t i = 0; i < TOOL_ARGUMENTS_MOST && call->arguments[i]; i++)
        list[i] = strcmp(call->arguments[i], "@") == 0 ? "/proc/self/fd/0" : call->arguments[i];
    const int input = call->data ? hold(call->data, call->bytes) : 0, said = hold("", 0);
    int code = 126;
    *output = NULL;
    if (input >= 0 && said >= 0) {
        code = program_run(&(struct confined_program){.arguments = list,
                                                      .readable = readable,
                                                      .folder = call->folder,
                                                      .data = input,
                                                      .output = said,
                                                      .is_own = is_own},
                           NULL);
        *output = read_all(said);
    }
    if (input > 0)
        close(input);
    if (said >= 0)
        close(said);
    return code == PROGRAM_NONE ? 127 : code;
}

int tool_run_for(const struct tool_call *call, const char *readable, char **output)
{
    const char *const also[] = {"/proc", readable, NULL}; /* of its input */
    return run(call, also, false, output);
}

/* ---- by the process outside the walls ---- */

static void write_text(FILE *stream, const char *text)
{
    fputs(text, stream);
    fputc('\0', stream);
}

static int ask(const struct tool_call *call, char **output)
{
    char *request = NULL, *answer = NULL;
    size_t length = 0, answer_length = 0;
    FILE *stream = open_memstream(&request, &length);
    if (stream) {
        write_text(stream, call->arguments[0]);
        write_text(stream, call->folder ? call->folder : "");
        for (size_t i = 1; call->arguments[i]; i++)
            write_text(stream, call->arguments[i]);
        write_text(stream, "");
        const bool is_whole = fwrite(call->data, 1, call->bytes, stream) == call->bytes;
        if (fclose(stream) == 0 && is_whole)
            answer = service_ask(TOOL_SERVICE, request, length, &answer_length);
    }
    free(request);
    char *text = answer;
    const int code = answer && answer_length ? (int)strtol(answer, &text, 10) : 126;
    if (text && *text == ' ')
        memmove(answer, text + 1, strlen(text));
    *output = answer;
    return code;
}

int tool_run(const struct tool_call *call, char **output)
{
    return service_is_there() ? ask(call, output) : run(call, NULL, true, output);
}

enum status tool_read(const struct tool_call *call, char **output, struct error *error)
{
    const char *path = call->arguments[0];
    const int code = tool_run(call, output);
    if (*output && code == 0)
        return STATUS_OK;
    const size_t length = *output ? strlen(*output) : 0;
    enum status status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its output", path);
    for (char *at = *output; at && *at; at++)
        if (*at == '\n')
            *at = ' ';
    if (*output)
        fail(error, status, "%s failed: %s", path, *output + (length > WORDS_SHOWN ? length - WORDS_SHOWN : 0));
    free(*output);
    *output = NULL;
    return status;
}

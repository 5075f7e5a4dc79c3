#include "explain/compiled/tool.h"

#include <errno.h>
#include <stdbool.h>
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
        try_path("/usr/local/cuda", "/bin", name, path) || is_in_path(name, path))
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

/* Fails with the tool's output, in one line, if the tool failed. */
static enum status judge(const char *path, int code, char *said, struct error *error)
{
    if (!said)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its output", path);
    if (code == 0)
        return STATUS_OK;
    size_t length = strlen(said);
    const char *end = length > WORDS_SHOWN ? said + length - WORDS_SHOWN : said;
    for (char *at = said; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return fail(error, STATUS_UNAVAILABLE, "%s failed: %s", path, end);
}

/* The data are the tool's standard input, by the name of a file. `readable`: the folder of a stranger's files; NULL:
 * there is none. */
static enum status run(const char *path, const char *const *arguments, const char *readable, const void *data,
                       size_t bytes, char **output, struct error *error)
{
    const char *const also[] = {"/proc", readable, NULL}; /* of its input */
    const char *list[ARGUMENTS_MOST + 1] = {path};
    for (size_t i = 1; i < ARGUMENTS_MOST && arguments[i]; i++)
        list[i] = strcmp(arguments[i], "@") == 0    ? "/proc/self/fd/0"
                  : strcmp(arguments[i], "@@") == 0 ? "@/proc/self/fd/0"
                                                    : arguments[i];
    int input = hold(data, bytes), said = hold("", 0);
    enum status status = STATUS_UNAVAILABLE;
    if (input >= 0 && said >= 0) {
        const int code = program_run(
            &(struct confined_program){
                .arguments = list, .readable = also, .data = input, .output = said, .is_own = !readable},
            NULL);
        *output = read_all(said);
        status = judge(path, code, *output, error);
    } else {
        fail(error, status, "%s: no memory for %zu bytes of machine code", path, bytes);
    }
    if (input >= 0)
        close(input);
    if (said >= 0)
        close(said);
    return status;
}

/* ---- by the process outside the walls ---- */

static void write_text(FILE *stream, const char *text)
{
    fwrite(text, strlen(text) + 1, 1, stream);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The request: the tool's name, its arguments, "", the data. The answer: '0', or '1' where it failed, and the text. */
static enum status ask(const char *path, const char *const *arguments, const void *data, size_t bytes, char **output,
                       struct error *error)
{
    char *request = NULL, *answer = NULL;
    size_t length = 0, answer_length = 0;
    FILE *stream = open_memstream(&request, &length);
    if (stream) {
        write_text(stream, base_name(path));
        for (size_t i = 1; arguments[i]; i++)
            write_text(stream, arguments[i]);
        write_text(stream, "");
        fwrite(data, bytes, 1, stream);
        if (fclose(stream) == 0)
            answer = service_ask(TOOL_SERVICE, request, length, &answer_length);
    }
    free(request);
    enum status status = answer && answer[0] == '0'
                             ? STATUS_OK
                             : fail(error, STATUS_UNAVAILABLE, "%s", answer && answer[0] ? answer + 1 : "no answer");
    if (status == STATUS_OK)
        memmove(answer, answer + 1, answer_length);
    else
        free(answer);
    *output = status == STATUS_OK ? answer : NULL;
    return status;
}

/* A file's absolute name, an address, or an option that is asked for here. */
static bool is_argument(const char *text)
{
    static const char *const options[] = {"@", "@@", "-e", "-a", "-i", "-c", "-gi", "-ndf", "-hex"};
    if (text[0] == '/' ||
        (text[0] == '0' && text[1] == 'x' && strspn(text + 2, "0123456789abcdef") == strlen(text + 2)))
        return true;
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (strcmp(text, options[i]) == 0)
            return true;
    return false;
}

static bool is_tool(const char *name, char path[TOOL_PATH_MAX])
{
    struct error unused;
    const char *own = strcmp(name, "nvdisasm") == 0 ? getenv("USKOR_NVDISASM") : NULL;
    const bool is_known = strcmp(name, "addr2line") == 0 || strcmp(name, "nvdisasm") == 0;
    return is_known && tool_find(name, own, "", path, &unused) == STATUS_OK;
}

void tool_serve(const char *data, size_t bytes, FILE *answer)
{
    const char *arguments[ARGUMENTS_MOST + 1] = {data}, *end = data + bytes;
    char path[TOOL_PATH_MAX], *output = NULL;
    size_t count = 1;
    bool is_well = is_tool(data, path);
    const char *at = data + strnlen(data, bytes) + 1;
    for (; at < end && *at && count < ARGUMENTS_MOST; at += strnlen(at, (size_t)(end - at)) + 1) {
        is_well = is_well && is_argument(at);
        arguments[count++] = at;
    }
    struct error error = {.text = "a request that is not served"};
    if (is_well && at >= end)
        fprintf(answer, "0"); /* it is there */
    else if (is_well && at < end && !*at &&
             run(path, arguments, getenv("TMPDIR"), at + 1, (size_t)(end - at - 1), &output, &error) == STATUS_OK)
        fprintf(answer, "0%s", output);
    else
        fprintf(answer, "1%s", error.text);
    free(output);
}

enum status tool_run(const char *path, const char *const *arguments, const void *data, size_t bytes, char **output,
                     struct error *error)
{
    *output = NULL;
    enum status status = service_is_there() ? ask(path, arguments, data, bytes, output, error)
                                            : run(path, arguments, NULL, data, bytes, output, error);
    if (status != STATUS_OK) {
        free(*output);
        *output = NULL;
    }
    return status;
}

#include "judge/user_module.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/size.h"
#include "base/text.h"

#define COMPILER_OUTPUT 4096

/* Runs the compiler; its output goes to `said`. Returns its exit code, or -1 if it cannot be started. */
static int run_compiler(char *const *arguments, char said[COMPILER_OUTPUT])
{
    int ends[2], code = -1;
    pid_t child;
    posix_spawn_file_actions_t actions;
    said[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    bool started = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    size_t length = 0;
    char rest[512];
    for (ssize_t got = 1; started && got > 0;) {
        bool is_full = length + 1 >= COMPILER_OUTPUT;
        got = is_full ? read(ends[0], rest, sizeof rest) : read(ends[0], said + length, COMPILER_OUTPUT - 1 - length);
        length += !is_full && got > 0 ? (size_t)got : 0;
    }
    said[length] = '\0';
    close(ends[0]);
    int status;
    if (started && waitpid(child, &status, 0) == child)
        code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return code == 127 && !length ? -1 : code;
}

/* Moves the file's content into an anonymous memory file, and removes the file. */
static int take(const char *path)
{
    struct stat facts;
    int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("uskor-module", MFD_CLOEXEC);
    bool taken = from >= 0 && to >= 0 && fstat(from, &facts) == 0;
    for (off_t at = 0; taken && at < facts.st_size;)
        taken = sendfile(to, from, &at, (size_t)(facts.st_size - at)) > 0;
    if (from >= 0)
        close(from);
    if (!taken && to >= 0)
        close(to);
    return taken ? to : -1;
}

static void join_command(char *const *arguments, char command[256])
{
    command[0] = '\0';
    for (size_t i = 0; arguments[i]; i++)
        if (strcmp(arguments[i], "-o") == 0 && arguments[i + 1])
            i++;
        else
            text_append(command, 256, "%s%s", i ? " " : "", arguments[i]);
}

static enum status compile_in(const char *folder, const char *path, enum element_type type, int *descriptor,
                              char command[256], struct error *error)
{
    const char *const compilers[] = {getenv("CC"), "cc", "gcc", "clang"};
    const char *const elements[] = {[ELEMENT_F32] = "float", [ELEMENT_F64] = "double"};
    char module[300], element[32], said[COMPILER_OUTPUT];
    const char *name = type == ELEMENT_F32 || type == ELEMENT_F64 ? elements[type] : "unsigned char";
    snprintf(module, sizeof module, "%s/module.so", folder);
    snprintf(element, sizeof element, "-DELEMENT=%s", name);
    for (size_t i = 0; i < COUNT_OF(compilers); i++) {
        if (!compilers[i] || !compilers[i][0])
            continue;
        const char *const arguments[] = {compilers[i], "-std=gnu17", "-O3",     "-g",    "-march=native",
                                         "-fopenmp",   element,      "-shared", "-fPIC", "-o",
                                         module,       path,         "-lm",     NULL};
        int code = run_compiler((char *const *)arguments, said);
        join_command((char *const *)arguments, command);
        if (code < 0)
            continue;
        if (code > 0)
            return fail(error, STATUS_INVALID, "%s does not compile (%s):\n%s", path, command, said);
        *descriptor = take(module);
        return *descriptor >= 0 ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: what the compiler made is gone", path);
    }
    return fail(error, STATUS_UNAVAILABLE,
                "%s: there is no C compiler (cc, gcc or clang); Debian has it in the package gcc", path);
}

enum status user_module_compile(const char *path, enum element_type type, int *descriptor, char command[256],
                                struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    char folder[256], module[300];
    snprintf(folder, sizeof folder, "%s/uskor-module-XXXXXX", temporary && temporary[0] == '/' ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return fail(error, STATUS_SYSTEM, "%s: there is no room for what the compiler makes", folder);
    enum status status = compile_in(folder, path, type, descriptor, command, error);
    snprintf(module, sizeof module, "%s/module.so", folder);
    unlink(module);
    rmdir(folder);
    return status;
}

enum status user_module_open(const char *module, const char *path, const char *entry, void (**function)(void),
                             struct error *error)
{
    void *handle = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fail(error, STATUS_INVALID, "%s cannot be loaded: %s", path, dlerror());
    void *symbol = dlsym(handle, entry);
    if (!symbol)
        return fail(error, STATUS_INVALID, "%s has no function '%s' that is seen from outside; --entry names another",
                    path, entry);
    memcpy(function, &symbol, sizeof symbol);
    return STATUS_OK;
}

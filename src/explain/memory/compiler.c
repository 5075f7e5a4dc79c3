#include "explain/memory/compiler.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "base/text.h"
#include "base/visible.h"

enum { PATH_BYTES = 512, OPTIONS_MAX = 40 };

/* ---- processes -------------------------------------------------------------------------------------------------- */

static pid_t start(const char *const *arguments, const char *input, const char *output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    pid_t process = -1;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input ? input : "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    char *list[OPTIONS_MAX + 1] = {(char *)(uintptr_t)arguments[0]};
    size_t count = 1;
    for (; arguments[count] && count < OPTIONS_MAX; count++)
        list[count] = (char *)(uintptr_t)arguments[count]; /* posix_spawn does not modify them */
    list[count] = NULL;
    if (posix_spawnp(&process, list[0], &actions, &attributes, list, environ) != 0)
        process = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

static int finish(pid_t process)
{
    int state = 0;
    if (process < 0)
        return 127;
    while (waitpid(process, &state, 0) < 0)
        ;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 126;
}

int compiler_run_tool(const char *const *arguments, const char *input, const char *output)
{
    return finish(start(arguments, input, output));
}

char *compiler_read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t bytes = 0, capacity = 0;
    while (file) {
        if (bytes + 4096 > capacity) {
            capacity = 2 * capacity + 65536;
            char *larger = realloc(text, capacity);
            if (!larger) {
                free(text);
                text = NULL;
                break;
            }
            text = larger;
        }
        size_t taken = fread(text + bytes, 1, capacity - bytes - 1, file);
        bytes += taken;
        text[bytes] = '\0';
        if (taken == 0)
            break;
    }
    if (file)
        fclose(file);
    return text;
}

/* ---- the compiler ----------------------------------------------------------------------------------------------- */

/* Optimisation keeps a value in a register, so that it is loaded once, as on a device. Passes that widen, split, repeat
 * or reorder accesses are off. Blocks keep the source's order. */
static const char *const common_options[] = {"-x",
                                             "c++",
                                             "-std=gnu++17",
                                             "-O2",
                                             "-w",
                                             "-fPIC",
                                             "-fno-exceptions",
                                             "-fno-rtti",
                                             "-fno-strict-aliasing",
                                             "-fvisibility=hidden",
                                             "-fno-stack-protector",
                                             "-c",
                                             NULL};
static const char *const traced_options[] = {"-gdwarf-4", "-g1", "-fsanitize=thread", "-fsanitize-coverage=trace-pc",
                                             NULL};
static const char *const gcc_options[] = {"-fno-tree-sra",
                                          "-fno-ipa-sra",
                                          "-fno-reorder-blocks",
                                          "-fno-reorder-blocks-and-partition",
                                          "-fno-thread-jumps",
                                          "-fno-tree-vectorize",
                                          NULL};
static const char *const clang_options[] = {"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", NULL};

static size_t append(const char **list, size_t count, const char *const *more)
{
    for (; *more && count < OPTIONS_MAX - 1; more++)
        list[count++] = *more;
    list[count] = NULL;
    return count;
}

struct compiler {
    const char *command;
    bool is_clang;
};

static bool find_compiler(const char *folder, struct compiler *compiler)
{
    const char *candidates[] = {getenv("USKOR_CXX"), "c++", "g++", "clang++"};
    char log[PATH_BYTES];
    snprintf(log, sizeof log, "%s/version.txt", folder);
    for (size_t i = 0; i < COUNT_OF(candidates); i++) {
        if (!candidates[i] || !candidates[i][0])
            continue;
        const char *const arguments[] = {candidates[i], "--version", NULL};
        if (compiler_run_tool(arguments, NULL, log) != 0)
            continue;
        char *text = compiler_read_file(log);
        *compiler = (struct compiler){candidates[i], text && strstr(text, "clang") != NULL};
        free(text);
        return true;
    }
    return false;
}

/* The first line of the log with "error:", without the directory. */
static enum status report(const char *folder, const char *log, const char *name, struct error *error)
{
    char *text = compiler_read_file(log);
    const char *line = text ? text : "";
    const char *word = strstr(line, "error:");
    while (word && word > line && word[-1] != '\n')
        word--;
    line = word ? word : line;
    size_t prefix = strlen(folder);
    if (strncmp(line, folder, prefix) == 0)
        line += prefix;
    char shown[400];
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(line, "\n"), line);
    visible_make(shown, sizeof shown);
    free(text);
    return fail(error, STATUS_INVALID, "%s: cannot be traced, as it does not compile as C++ of the host: %s", name,
                shown);
}

enum { KERNEL, HOOKS, LIBRARY, STEPS };

/* A step's output file and its log. */
struct step {
    char source[PATH_BYTES], output[PATH_BYTES], log[PATH_BYTES];
};

static void name_steps(const char *folder, bool silent, struct step steps[STEPS])
{
    static const char *const sources[STEPS] = {"kernel.cpp", "hooks.cpp", ""};
    const char *const outputs[STEPS] = {silent ? "silent.o" : "kernel.o", "hooks.o",
                                        silent ? "silent.so" : "kernel.so"};
    for (int i = 0; i < STEPS; i++) {
        snprintf(steps[i].source, PATH_BYTES, "%s/%s", folder, sources[i]);
        snprintf(steps[i].output, PATH_BYTES, "%s/%s", folder, outputs[i]);
        snprintf(steps[i].log, PATH_BYTES, "%s/%s.log", folder, outputs[i]);
    }
}

/* ---- the hooks -------------------------------------------------------------------------------------------------- */

/* The hooks' object file is the same for every kernel: a process compiles it once per compiler. */
static struct {
    pthread_mutex_t lock;
    char command[PATH_BYTES];
    unsigned char *bytes;
    size_t size;
} kept_hooks = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Writes the cached object file; false if it must be compiled. */
static bool take_hooks(const struct compiler *compiler, const char *path)
{
    bool is_taken = false;
    pthread_mutex_lock(&kept_hooks.lock);
    FILE *file = kept_hooks.bytes && strcmp(kept_hooks.command, compiler->command) == 0 ? fopen(path, "wb") : NULL;
    if (file) {
        is_taken = fwrite(kept_hooks.bytes, 1, kept_hooks.size, file) == kept_hooks.size;
        is_taken = fclose(file) == 0 && is_taken;
    }
    pthread_mutex_unlock(&kept_hooks.lock);
    return is_taken;
}

static void keep_hooks(const struct compiler *compiler, const char *path)
{
    struct stat about;
    FILE *file = strlen(compiler->command) < sizeof kept_hooks.command ? fopen(path, "rb") : NULL;
    size_t size = file && fstat(fileno(file), &about) == 0 ? (size_t)about.st_size : 0;
    unsigned char *bytes = size ? malloc(size) : NULL;
    if (bytes && fread(bytes, 1, size, file) == size) {
        pthread_mutex_lock(&kept_hooks.lock);
        free(kept_hooks.bytes);
        strcpy(kept_hooks.command, compiler->command);
        kept_hooks.bytes = bytes;
        kept_hooks.size = size;
        pthread_mutex_unlock(&kept_hooks.lock);
    } else {
        free(bytes);
    }
    if (file)
        fclose(file);
}

/* Hooks without an object file are compiled in parallel with the kernel. */
static enum status compile(const struct compiler *compiler, const char *folder, const char *name, bool silent,
                           struct error *error)
{
    struct step steps[STEPS];
    name_steps(folder, silent, steps);
    const char *kernel[OPTIONS_MAX] = {compiler->command}, *hooks[OPTIONS_MAX] = {compiler->command};
    size_t count = append(kernel, 1, common_options);
    if (!silent) {
        count = append(kernel, count, traced_options);
        count = append(kernel, count, compiler->is_clang ? clang_options : gcc_options);
    }
    append(kernel, count, (const char *const[]){"-I", folder, steps[KERNEL].source, "-o", steps[KERNEL].output, NULL});
    append(hooks, append(hooks, 1, common_options),
           (const char *const[]){"-O1", steps[HOOKS].source, "-o", steps[HOOKS].output, NULL});
    bool has_hooks = silent || take_hooks(compiler, steps[HOOKS].output);
    pid_t first = start(kernel, NULL, steps[KERNEL].log),
          second = has_hooks ? -1 : start(hooks, NULL, steps[HOOKS].log);
    int kernel_code = finish(first), hooks_code = has_hooks ? 0 : finish(second);
    if (kernel_code != 0 || hooks_code != 0)
        return report(folder, steps[kernel_code != 0 ? KERNEL : HOOKS].log, name, error);
    if (!has_hooks)
        keep_hooks(compiler, steps[HOOKS].output);
    const char *const link[] = {compiler->command,    "-shared",           "-o",  steps[LIBRARY].output,
                                steps[KERNEL].output, steps[HOOKS].output, "-lm", NULL};
    if (compiler_run_tool(link, NULL, steps[LIBRARY].log) != 0)
        return report(folder, steps[LIBRARY].log, name, error);
    return STATUS_OK;
}

enum status compiler_run(const char *folder, const char *name, bool silent, struct error *error)
{
    struct compiler compiler;
    if (!find_compiler(folder, &compiler))
        return fail(error, STATUS_UNAVAILABLE,
                    "%s: a trace of its accesses needs a C++ compiler (c++, g++ or clang++), and none is installed",
                    name);
    return compile(&compiler, folder, name, silent, error);
}

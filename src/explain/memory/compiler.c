#include "explain/memory/compiler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/size.h"
#include "base/visible.h"
#include "explain/compiled/tool.h"

enum { PATH_BYTES = 512, OPTIONS_MAX = 40 };

char *compiler_read_file(const char *path, size_t *length)
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
    if (length)
        *length = text ? bytes : 0;
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
                                             "-fno-delete-null-pointer-checks", /* address 0 is an access, too */
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
                                          "-fno-tree-loop-distribute-patterns",
                                          "-fno-store-merging",
                                          NULL};
/* clang leaves out a read that a write to the same address follows, unless it is told otherwise. */
static const char *const clang_options[] = {"-fno-vectorize",
                                            "-fno-slp-vectorize",
                                            "-fno-unroll-loops",
                                            "-fno-builtin-memset",
                                            "-fno-builtin-memcpy",
                                            "-mllvm",
                                            "-tsan-instrument-read-before-write",
                                            NULL};

static size_t append(const char **list, size_t count, const char *const *more)
{
    for (; *more && count < OPTIONS_MAX - 1; more++)
        list[count++] = *more;
    list[count] = NULL;
    return count;
}

/* The version, as it says it, and the file: a compiler that was updated is another one. */
static void identify(struct compiler *compiler, const char *version)
{
    char path[TOOL_PATH_MAX];
    struct utsname machine;
    compiler->identity = (struct cache_key){.bytes = 0};
    cache_key_add_text(&compiler->identity, version ? version : "");
    if (strchr(compiler->command, '/'))
        cache_key_add_file(&compiler->identity, compiler->command);
    else if (tool_in_path(compiler->command, path))
        cache_key_add_file(&compiler->identity, path);
    if (uname(&machine) == 0)
        cache_key_add_text(&compiler->identity, machine.machine);
}

static bool try_compilers(const char *folder, struct compiler *compiler)
{
    const char *candidates[] = {getenv("USKOR_CXX"), "c++", "g++", "clang++"};
    for (size_t i = 0; i < COUNT_OF(candidates); i++) {
        if (!candidates[i] || !candidates[i][0] || strlen(candidates[i]) >= sizeof compiler->command)
            continue;
        const char *const arguments[] = {candidates[i], "--version", NULL};
        char *text;
        const bool is_there = tool_run(&(struct tool_call){.arguments = arguments, .folder = folder}, &text) == 0;
        if (is_there) {
            *compiler = (struct compiler){.is_clang = text && strstr(text, "clang") != NULL};
            strcpy(compiler->command, candidates[i]);
            identify(compiler, text);
        }
        free(text);
        if (is_there)
            return true;
    }
    return false;
}

/* The compiler that this process found, and the variables that led to it. */
static struct {
    pthread_mutex_t lock;
    struct compiler compiler;
    char own[PATH_BYTES], path[8 * PATH_BYTES];
} found = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum status compiler_find(const char *folder, const char *name, struct compiler *compiler, struct error *error)
{
    char own[sizeof found.own], path[sizeof found.path];
    snprintf(own, sizeof own, "%s", getenv("USKOR_CXX") ? getenv("USKOR_CXX") : "");
    snprintf(path, sizeof path, "%s", getenv("PATH") ? getenv("PATH") : "");
    pthread_mutex_lock(&found.lock);
    bool is_found = found.compiler.command[0] && strcmp(own, found.own) == 0 && strcmp(path, found.path) == 0;
    if (!is_found && try_compilers(folder, &found.compiler)) {
        is_found = true;
        strcpy(found.own, own);
        strcpy(found.path, path);
    }
    *compiler = found.compiler;
    pthread_mutex_unlock(&found.lock);
    if (is_found)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE,
                "%s: a trace of its accesses needs a C++ compiler (c++, g++ or clang++), and none is installed", name);
}

/* Fails with the first line with "error:" of what it said, without the directory. */
static enum status report(const char *folder, const char *said, const char *name, struct error *error)
{
    const char *line = said ? said : "", *word = strstr(line, "error:");
    while (word && word > line && word[-1] != '\n')
        word--;
    line = word ? word : line;
    size_t prefix = strlen(folder);
    if (strncmp(line, folder, prefix) == 0)
        line += prefix;
    char shown[400];
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(line, "\n"), line);
    visible_make(shown, sizeof shown);
    return fail(error, STATUS_INVALID, "%s: cannot be traced, as it does not compile as C++ of the host: %s", name,
                shown);
}

static enum status run(const char *const *arguments, const char *folder, const char *name, struct error *error)
{
    char *said;
    const int code = tool_run(&(struct tool_call){.arguments = arguments, .folder = folder}, &said);
    enum status status = code == 0 ? STATUS_OK : report(folder, said, name, error);
    free(said);
    return status;
}

static bool is_in(const char *folder, const char *path)
{
    static const char implicit[] = "/stdc-predef.h"; /* gcc includes it by itself */
    size_t own = strlen(folder), end = sizeof implicit - 1, length = strlen(path);
    return (length > own && strncmp(path, folder, own) == 0 && path[own] == '/') ||
           (length > end && strcmp(path + length - end, implicit) == 0);
}

/* The next word of a rule of make's, without its escapes ("\ ", "\#", "$$"), in `path` ("" at the rule's end), and what
 * is behind it. */
static const char *next_file(const char *at, char path[PATH_BYTES])
{
    size_t length = 0;
    while (*at == ' ' || *at == '\n' || (at[0] == '\\' && at[1] == '\n'))
        at++;
    for (; *at && *at != ' ' && *at != '\n' && length < PATH_BYTES - 1; at++) {
        if ((at[0] == '\\' && at[1] && strchr(" #:\\", at[1])) || (at[0] == '$' && at[1] == '$'))
            at++;
        path[length++] = *at;
    }
    path[length] = '\0';
    return at;
}

#define RULE "made:" /* as -MT names it */

/* The project's files that a source includes are beside it. A file from elsewhere may change, and nobody would know. */
static bool is_complete(const char *folder, const char *depends)
{
    char path[PATH_BYTES], *text = compiler_read_file(depends, NULL);
    bool is_complete = text && strncmp(text, RULE, sizeof RULE - 1) == 0;
    const char *at = is_complete ? text + sizeof RULE - 1 : "";
    do {
        at = next_file(at, path);
        is_complete = is_complete && (!*path || is_in(folder, path));
    } while (*path);
    free(text);
    return is_complete;
}

static size_t add_options(const struct compiler *compiler, enum compiler_output output, const char **list, size_t count)
{
    count = append(list, count, common_options);
    if (output == COMPILER_HOOKS)
        count = append(list, count, (const char *const[]){"-O1", NULL});
    if (output == COMPILER_TRACED) {
        count = append(list, count, traced_options);
        count = append(list, count, compiler->is_clang ? clang_options : gcc_options);
    }
    return count;
}

static bool is_in_list(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

bool compiler_is_option(const char *text)
{
    static const char *const others[] = {"-O1", "-MD",     "-MT", "made",      "-MF", "-I",
                                         "-o",  "-shared", "-lm", "--version", NULL};
    return is_in_list(text, common_options) || is_in_list(text, traced_options) || is_in_list(text, gcc_options) ||
           is_in_list(text, clang_options) || is_in_list(text, others);
}

bool compiler_is_program(const char *name)
{
    const char *own = getenv("USKOR_CXX");
    static const char *const known[] = {"c++", "g++", "clang++", NULL};
    return is_in_list(name, known) || (own && strcmp(name, own) == 0);
}

void compiler_add_key(const struct compiler *compiler, enum compiler_output output, struct cache_key *key)
{
    const char *list[OPTIONS_MAX];
    size_t count = add_options(compiler, output, list, 0);
    cache_key_add(key, &compiler->identity, sizeof compiler->identity);
    for (size_t i = 0; i < count; i++)
        cache_key_add_text(key, list[i]);
}

enum status compiler_compile(const struct compiler *compiler, const char *folder, const char *source, const char *name,
                             enum compiler_output output, bool *is_alone, struct error *error)
{
    char input[PATH_BYTES], made[PATH_BYTES], depends[PATH_BYTES];
    const char *list[OPTIONS_MAX] = {compiler->command};
    snprintf(input, sizeof input, "%s/%s.cpp", folder, source);
    snprintf(made, sizeof made, "%s/%s.o", folder, source);
    snprintf(depends, sizeof depends, "%s/%s.d", folder, source);
    append(list, add_options(compiler, output, list, 1),
           (const char *const[]){"-MD", "-MT", "made", "-MF", depends, "-I", folder, input, "-o", made, NULL});
    enum status status = run(list, folder, name, error);
    *is_alone = status == STATUS_OK && is_complete(folder, depends);
    return status;
}

enum status compiler_link(const struct compiler *compiler, const char *folder, const char *library, const char *name,
                          struct error *error)
{
    char objects[2][PATH_BYTES], made[PATH_BYTES];
    snprintf(objects[0], PATH_BYTES, "%s/kernel.o", folder);
    snprintf(objects[1], PATH_BYTES, "%s/hooks.o", folder);
    snprintf(made, sizeof made, "%s/%s", folder, library);
    const char *const list[] = {compiler->command, "-shared", "-o", made, objects[0], objects[1], "-lm", NULL};
    return run(list, folder, name, error);
}

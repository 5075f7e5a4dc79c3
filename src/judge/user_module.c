#include "judge/user_module.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/size.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/translation.h"
#include "judge/user_file.h"
#include "judge/user_includes.h"
#include "walls/program.h"

#define COMPILER_SHOWN 600 /* bytes of its output: a message has room for little more */
#define COMPILER_WORDS 8   /* of $CC */
#define COMPILER_BYTES ((uint64_t)2 << 30)
#define COMPILER_FILE_LEAST ((rlim_t)1 << 20)
#define COMPILER_LEAST ((uint64_t)512 << 20)

static const char *const c_types[ELEMENT_TYPE_COUNT] = {
    [ELEMENT_U8] = "unsigned char",
    [ELEMENT_I8] = "signed char",
    [ELEMENT_U16] = "unsigned short",
    [ELEMENT_I16] = "short",
    [ELEMENT_F16] = "_Float16",
    [ELEMENT_U32] = "unsigned int",
    [ELEMENT_I32] = "int",
    [ELEMENT_F32] = "float",
    [ELEMENT_U64] = "unsigned long",
    [ELEMENT_I64] = "long",
    [ELEMENT_F64] = "double",
    [ELEMENT_C64] = "float _Complex",
    [ELEMENT_C128] = "double _Complex",
};

/* Runs it on a source, which it may read with what that includes from beside it. */
static int run_compiler(const char *const *arguments, const char *source, const char *folder, char said[PROGRAM_SAID])
{
    struct error unused;
    const char *readable[USER_INCLUDES_MOST + 2] = {source};
    struct user_includes *includes = calloc(1, sizeof *includes);
    uint64_t free_bytes = memory_available(NULL) / 4 * 3;
    if (includes)
        user_includes_find(source, includes, &unused);
    for (size_t i = 0; includes && i < includes->count; i++)
        readable[i + 1] = includes->paths[i];
    const int code =
        program_run(&(struct confined_program){.arguments = arguments,
                                               .readable = readable,
                                               .folder = folder,
                                               .memory = free_bytes < COMPILER_BYTES ? free_bytes : COMPILER_BYTES},
                    said);
    const int reason = errno;
    free(includes);
    errno = reason;
    return code;
}

/* Moves the file's content into an anonymous memory file, and removes the file. */
static int take(const char *path)
{
    struct stat facts;
    int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("uskor-module", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool taken = from >= 0 && to >= 0 && fstat(from, &facts) == 0;
    for (off_t at = 0; taken && at < facts.st_size;)
        taken = sendfile(to, from, &at, (size_t)(facts.st_size - at)) > 0;
    if (from >= 0)
        close(from);
    taken = taken && user_file_seal(to);
    if (!taken && to >= 0)
        close(to);
    return taken ? to : -1;
}

/* What the compiler said, from its first error on where that is far behind: includes within includes come before it. */
static const char *from_error(const char *said)
{
    static const char unknown[] = "warning: unknown warning option"; /* clang's first line: it has no trampolines */
    const char *end = strncmp(said, unknown, strlen(unknown)) == 0 ? strchr(said, '\n') : NULL;
    said = end ? end + 1 : said;
    const char *at = strstr(said, "error");
    if (!at || at - said < COMPILER_SHOWN)
        return said;
    while (at > said && at[-1] != '\n')
        at--;
    return at;
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

/* The words of a compiler's command, "ccache gcc"; `text` is cut into them. Returns their number. */
static size_t split_words(char *text, const char **words)
{
    size_t count = 0;
    char *rest;
    for (char *word = strtok_r(text, " \t", &rest); word && count < COMPILER_WORDS; word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    return count;
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    const bool is_open = file != NULL, is_written = is_open && fputs(text, file) >= 0;
    return is_open && fclose(file) == 0 && is_written;
}

/* Whether the same command compiles a file in which nothing can be wrong: else there is no room for what it writes, it
 * is not whole, or it is not given what it needs, and no user's file is to blame. `arguments` lead to `source`. */
static bool compiles_anything(const char **arguments, const char *source, const char *folder, struct error *error)
{
    char plain[300], said[PROGRAM_SAID];
    snprintf(plain, sizeof plain, "%s/nothing.c", folder);
    if (!write_file(plain, "int nothing;\n")) {
        fail(error, STATUS_UNAVAILABLE, "%s: no room for what a compiler writes: %s", folder, strerror(errno));
        return false;
    }
    for (size_t i = 0; arguments[i]; i++)
        if (arguments[i] == source)
            arguments[i] = plain;
    if (run_compiler(arguments, plain, folder, said) == 0)
        return true;
    said[strcspn(said, "\n")] = '\0';
    fail(error, STATUS_UNAVAILABLE,
         "the C compiler fails here whatever it compiles: %.400s; CC names another, such as the one that a script "
         "starts",
         said);
    return false;
}

#define OPTIONS_MOST 16

/* The words of the compiler's command and its options; `words` is the room of the former. */
static void make_arguments(const char *arguments[COMPILER_WORDS + OPTIONS_MOST], char words[256], const char *compiler,
                           const char *element, const char *module, const char *source, bool is_native)
{
    /* Its own functions are inlined and called, also where the C library has one of that name ("step"). */
    const char *const options[OPTIONS_MOST] = {"-std=gnu17",
                                               "-O3",
                                               "-g",
                                               "-fopenmp",
                                               "-fno-semantic-interposition",
                                               "-Wl,-Bsymbolic",
                                               "-Werror=trampolines", /* they make stacks executable */
                                               element,
                                               "-shared",
                                               "-fPIC",
                                               "-o",
                                               module,
                                               source,
                                               "-lm",
                                               is_native ? "-march=native" : NULL};
    snprintf(words, 256, "%s", compiler);
    memcpy(arguments + split_words(words, arguments), options, sizeof options);
}

static size_t count_arguments(const char *const *arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    return count;
}

static enum status compile_in(const char *folder, const char *path, enum element_type type, const char *beside,
                              int *descriptor, char command[256], struct error *error)
{
    const char *const own = getenv("CC"), *const compilers[] = {own && own[0] ? own : "cc", "gcc", "clang"};
    char module[300], adapter[300], element[32], source[600], said[PROGRAM_SAID], words[256];
    bool is_native = true;
    snprintf(adapter, sizeof adapter, "%s/adapter.c", folder);
    if (beside[0] && !write_file(adapter, beside))
        return fail(error, STATUS_UNAVAILABLE, "%s: no room for what a compiler writes: %s", folder, strerror(errno));
    snprintf(module, sizeof module, "%s/module.so", folder);
    snprintf(element, sizeof element, "-DELEMENT=%s", c_types[type]);
    snprintf(source, sizeof source, "%s%s", path[0] == '-' ? "./" : "", path); /* a file's name is no option */
    for (size_t i = 0; i < (own && own[0] ? 1 : COUNT_OF(compilers));) {
        const char *arguments[COMPILER_WORDS + OPTIONS_MOST + 1] = {NULL};
        make_arguments(arguments, words, compilers[i], element, module, source, is_native);
        join_command((char *const *)arguments, command);
        if (beside[0])
            arguments[count_arguments(arguments)] = adapter;
        int code =
            strcmp(arguments[0], "-std=gnu17") != 0 ? run_compiler(arguments, source, folder, said) : PROGRAM_NONE;
        if (code < 0 && own && own[0])
            return fail(error, STATUS_UNAVAILABLE, "%s: the compiler that CC names cannot be started: %.200s", path,
                        own);
        if (code < 0) {
            i++;
            continue;
        }
        if (code == PROGRAM_UNSTARTED)
            return fail(error, STATUS_SYSTEM, "%s: the C compiler cannot be started: %s", path, strerror(errno));
        if (code == PROGRAM_LATE)
            return fail(error, STATUS_INVALID, "%s does not compile: the compiler did not finish in two minutes", path);
        if (code == PROGRAM_WAITED)
            return fail(error, STATUS_INVALID, "%s does not compile: it includes what has no end, such as a pipe",
                        path);
        if (code > 0 && !compiles_anything(arguments, source, folder, error)) {
            if (!is_native)
                return STATUS_UNAVAILABLE;
            is_native = false; /* which not every compiler has for its processor */
            continue;
        }
        if (code > 0)
            return fail(error, STATUS_INVALID, "%s does not compile (%s):\n%s", path, command, from_error(said));
        *descriptor = take(module);
        return *descriptor >= 0 ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: what the compiler made is gone", path);
    }
    return fail(error, STATUS_UNAVAILABLE,
                "%s: there is no C compiler (cc, gcc or clang); Debian has it in the package gcc", path);
}

enum status user_module_compile(const char *path, enum element_type type, const char *beside, int *descriptor,
                                char command[256], struct error *error)
{
    struct temporary_folder folder;
    struct rlimit files;
    enum status status = memory_suffices(COMPILER_LEAST, N_("the C compiler"), error);
    if (status == STATUS_OK && getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur < COMPILER_FILE_LEAST)
        status = fail(error, STATUS_UNAVAILABLE,
                      "the C compiler writes files of %zu KiB, and %zu KiB are the most (ulimit -f)",
                      (size_t)COMPILER_FILE_LEAST >> 10, (size_t)files.rlim_cur >> 10);
    if (status != STATUS_OK)
        return STATUS_UNAVAILABLE; /* which no file is to blame for */
    status = temporary_folder_make(FOLDER_MODULE, &folder, error);
    if (status != STATUS_OK)
        return status;
    status = compile_in(folder.path, path, type, beside, descriptor, command, error);
    temporary_folder_remove(&folder);
    return status;
}

/* Whether it lies in a part of the module that is executed. */
static bool is_function(const void *symbol)
{
    Dl_info facts;
    const ElfW(Sym) *entry = NULL;
    bool is_known = dladdr1(symbol, &facts, (void **)&entry, RTLD_DL_SYMENT) != 0 && entry;
    return !is_known || (entry->st_info & 15) != STT_OBJECT;
}

/* Why the loader refused a module. The compiler has only warned of a function that is called and nowhere defined. */
static enum status fail_load(const char *module, const char *path, const char *said, struct error *error)
{
    static const char undefined[] = "undefined symbol: ";
    const char *missing = strstr(said, undefined);
    size_t own = strncmp(said, module, strlen(module)) == 0 ? strlen(module) : 0;
    if (missing)
        return fail(error, STATUS_INVALID, "%s uses '%s', which neither it nor the C library defines", path,
                    missing + strlen(undefined));
    return fail(error, STATUS_INVALID, "%s cannot be loaded: %s", path, said + own + strspn(said + own, ": "));
}

enum status user_module_open(const char *module, const char *path, const char *entry, const char *prototype,
                             void (**function)(void), struct error *error)
{
    void *handle = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fail_load(module, path, dlerror(), error);
    void *symbol = dlsym(handle, entry);
    if (symbol && !is_function(symbol))
        return fail(error, STATUS_INVALID, "%s: '%s' is not a function", path, entry);
    if (!symbol)
        return fail(error, STATUS_INVALID, "%s exports no function '%s', such as '%s'; --entry names another", path,
                    entry, prototype);
    memcpy(function, &symbol, sizeof symbol);
    return STATUS_OK;
}

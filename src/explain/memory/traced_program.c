/* A kernel's source becomes a shared object: prelude, source and entry points in one file, the hooks in another. */
#include "explain/memory/traced_program.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cuda/host_headers.h"
#include "base/embedded.h"
#include "explain/memory/compiler.h"
#include "explain/memory/traced_text.h"

enum { PATH_BYTES = 512 };

/* ---- files ------------------------------------------------------------------------------------------------------ */

static bool write_file(const char *folder, const char *name, const void *data, size_t bytes)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool is_written = fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && is_written;
}

static bool take(const struct cache_key *key, const char *folder, const char *name)
{
    void *data = NULL;
    size_t bytes = 0;
    if (!cache_load(key, &data, &bytes))
        return false;
    bool is_written = write_file(folder, name, data, bytes);
    free(data);
    return is_written;
}

static void keep(const struct cache_key *key, const char *folder, const char *name)
{
    char path[PATH_BYTES];
    size_t bytes = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *data = compiler_read_file(path, &bytes);
    if (bytes > 0)
        cache_store(key, data, bytes);
    free(data);
}

/* ---- the hooks -------------------------------------------------------------------------------------------------- */

/* They are the same for every kernel: of several threads one compiles them. */
static enum status make_hooks(const struct module_request *request, const struct compiler *compiler, bool *was_cached,
                              struct error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct cache_key key = request->hooks;
    enum status status = STATUS_OK;
    bool is_alone;
    compiler_add_key(compiler, COMPILER_HOOKS, &key);
    pthread_mutex_lock(&lock);
    *was_cached = *was_cached && take(&key, request->folder, "hooks.o");
    if (!*was_cached)
        status = compiler_compile(compiler, request->folder, "hooks", request->name, COMPILER_HOOKS, &is_alone, error);
    if (!*was_cached && status == STATUS_OK)
        keep(&key, request->folder, "hooks.o");
    pthread_mutex_unlock(&lock);
    return status;
}

/* Finds the compiler, makes hooks.o and keeps it within the process (cache_keep_within). */
static void traced_module_hold_hooks(const struct module_request *request)
{
    struct compiler compiler;
    struct cache_key key = request->hooks;
    bool are_cached = true;
    if (compiler_find(request->folder, "", &compiler, NULL) != STATUS_OK ||
        make_hooks(request, &compiler, &are_cached, NULL) != STATUS_OK)
        return;
    compiler_add_key(&compiler, COMPILER_HOOKS, &key);
    cache_keep_within();
    keep(&key, request->folder, "hooks.o");
}

/* ---- the module ------------------------------------------------------------------------------------------------- */

/* Cached hooks that another machine of the same home folder made may not fit. */
static enum status link_module(const struct module_request *request, const struct compiler *compiler, const char *file,
                               struct error *error)
{
    bool are_cached = true;
    enum status status = make_hooks(request, compiler, &are_cached, error);
    if (status == STATUS_OK)
        status = compiler_link(compiler, request->folder, file, request->name, error);
    if (status == STATUS_OK || !are_cached)
        return status;
    are_cached = false;
    status = make_hooks(request, compiler, &are_cached, error);
    return status == STATUS_OK ? compiler_link(compiler, request->folder, file, request->name, error) : status;
}

/* Makes the shared object in the folder. *was_cached tells whether a compiler was needed. STATUS_UNAVAILABLE without a
 * compiler, STATUS_INVALID with the first error when the kernel does not compile. */
static enum status traced_module_make(const struct module_request *request, bool *was_cached, struct error *error)
{
    struct compiler compiler;
    struct cache_key key = request->kernel;
    const char *file = request->is_silent ? "silent.so" : "kernel.so";
    enum compiler_output output = request->is_silent ? COMPILER_SILENT : COMPILER_TRACED;
    bool is_alone = false;
    enum status status = compiler_find(request->folder, request->name, &compiler, error);
    if (status != STATUS_OK)
        return status;
    cache_key_add(&key, &request->hooks, sizeof request->hooks);
    compiler_add_key(&compiler, output, &key);
    *was_cached = !request->is_refused && take(&key, request->folder, file);
    if (*was_cached)
        return STATUS_OK;
    status = compiler_compile(&compiler, request->folder, "kernel", request->name, output, &is_alone, error);
    if (status == STATUS_OK)
        status = link_module(request, &compiler, file, error);
    if (status == STATUS_OK && is_alone)
        keep(&key, request->folder, file);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static FILE *create(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    return fopen(path, "w");
}

/* Adds the file's content to the key. */
static bool add_to_key(const char *folder, const char *name, struct cache_key *key)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = compiler_read_file(path, NULL);
    if (text)
        cache_key_add_text(key, text);
    free(text);
    return text != NULL;
}

static bool write_embedded(FILE *file, const char *path)
{
    const struct embedded_file *embedded = embedded_find(path);
    return embedded && fwrite(embedded->text, 1, embedded->bytes, file) == embedded->bytes;
}

/* The project's own files that the source includes, transitively. */
static void write_includes(const char *folder, const char *text, int depth, struct cache_key *key)
{
    for (const char *at = strstr(text, "#include \""); at && depth < 8; at = strstr(at + 1, "#include \"")) {
        char name[200];
        at += strlen("#include \"");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\"\n"), at);
        const struct embedded_file *embedded = strstr(name, "..") ? NULL : embedded_find(name);
        FILE *file = embedded ? create(folder, name) : NULL;
        if (!file)
            continue;
        (void)fwrite(embedded->text, 1, embedded->bytes, file);
        fclose(file);
        cache_key_add_text(key, name);
        cache_key_add(key, embedded->text, embedded->bytes);
        write_includes(folder, embedded->text, depth + 1, key);
    }
}

static void write_defines(FILE *file, const struct program_source *source)
{
    for (size_t i = 0; i < source->define_count; i++) {
        int name = (int)strcspn(source->defines[i], "=");
        const char *value = source->defines[i][name] ? source->defines[i] + name + 1 : "1";
        fprintf(file, "#define %.*s %s\n", name, source->defines[i], value);
    }
}

static bool write_builtins(const struct traced_program *program, FILE *file)
{
    for (size_t i = 0; i < program->entry_count; i++)
        fprintf(file, "#define USKOR_ENTRY_%s\n", program->entries[i].name);
    return write_embedded(file, "explain/memory/builtins.clh");
}

static bool write_kernel(struct traced_program *program, const struct program_source *source)
{
    FILE *file = create(program->folder.path, "kernel.cpp");
    if (!file)
        return false;
    write_defines(file, source);
    if (source->language == LANGUAGE_CUDA_C)
        fprintf(file, "#define USKOR_IS_CUDA\n");
    char *text = traced_text(source);
    bool is_written = text && write_embedded(file, "explain/memory/prelude.clh");
    if (source->language == LANGUAGE_CUDA_C)
        is_written &=
            write_embedded(file, "explain/memory/cuda.clh") && write_embedded(file, "explain/memory/cuda_words.clh");
    else
        is_written &= write_builtins(program, file);
    if (cuda_wants_host_words(source->text))
        is_written &= write_embedded(file, CUDA_HOST_WORDS);
    fprintf(file, "#line 1 \"%s\"\n%s\n", TRACED_FILE, text ? text : "");
    free(text);
    for (size_t i = 0; i < program->entry_count; i++)
        fprintf(file, "USKOR_ENTRY(%s)\n", program->entries[i].name);
    write_includes(program->folder.path, source->text, 0, &program->sources.kernel);
    is_written &= fclose(file) == 0;
    return is_written && add_to_key(program->folder.path, "kernel.cpp", &program->sources.kernel);
}

static bool write_hooks(struct traced_program *program)
{
    FILE *file = create(program->folder.path, "hooks.cpp");
    if (!file)
        return false;
    bool is_written = write_embedded(file, "explain/memory/lane.h") && write_embedded(file, "explain/memory/hooks.clh");
    is_written &= fclose(file) == 0;
    return is_written && add_to_key(program->folder.path, "hooks.cpp", &program->sources.hooks);
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

static enum status refuse(const struct program_source *source, struct error *error)
{
    char *text = traced_text(source);
    if (!text)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    char name[200];
    int line = kernel_text_find(text, "asm");
    bool includes = source->language == LANGUAGE_CUDA_C && traced_text_includes(text, name, sizeof name);
    free(text);
    if (line)
        return fail(error, STATUS_UNAVAILABLE, "%s: not traced: line %d is an instruction of PTX", source->name, line);
    if (includes)
        return fail(error, STATUS_UNAVAILABLE, "%s: not traced: it is written in CUDA C++, and includes %s",
                    source->name, name);
    return STATUS_OK;
}

/* The library's uskor_trace_link; NULL if the library cannot be loaded. */
static void *load(const struct traced_program *program, bool is_silent, void **library)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", program->folder.path, is_silent ? "silent.so" : "kernel.so");
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = *library ? dlsym(*library, "uskor_trace_link") : NULL;
    if (*library && !symbol) {
        dlclose(*library);
        *library = NULL;
    }
    return symbol;
}

/* A cached module that cannot be loaded here, as another machine of the same home folder made it, is made again. */
static enum status make_and_load(const struct traced_program *program, bool is_silent, void **library, void **symbol,
                                 struct error *error)
{
    struct module_request request = program->sources;
    bool was_cached = true;
    request.folder = program->folder.path;
    request.name = program->name;
    request.is_silent = is_silent;
    for (*symbol = NULL; !*symbol && was_cached; request.is_refused = true) {
        enum status status = traced_module_make(&request, &was_cached, error);
        if (status != STATUS_OK)
            return status;
        *symbol = load(program, is_silent, library);
    }
    return *symbol
               ? STATUS_OK
               : fail(error, STATUS_SYSTEM, "%s: the compiled trace cannot be loaded: %s", program->name, dlerror());
}

static enum status open_library(struct traced_program *program, struct error *error)
{
    struct trace_link *(*link)(void);
    Dl_info about;
    void *symbol;
    enum status status = make_and_load(program, false, &program->library, &symbol, error);
    if (status != STATUS_OK)
        return status;
    if (!dladdr(symbol, &about))
        return fail(error, STATUS_SYSTEM, "%s: the compiled trace cannot be loaded: %s", program->name, dlerror());
    memcpy(&link, &symbol, sizeof link);
    program->link = link();
    program->load_address = program->link->code = (unsigned long)about.dli_fbase;
    return STATUS_OK;
}

enum status traced_program_silence(struct traced_program *program, struct error *error)
{
    struct trace_link *(*link)(void);
    void *symbol;
    if (program->silent_link)
        return STATUS_OK;
    enum status status = make_and_load(program, true, &program->silent_library, &symbol, error);
    if (status != STATUS_OK)
        return status;
    memcpy(&link, &symbol, sizeof link);
    program->silent_link = link();
    return STATUS_OK;
}

enum status traced_program_build(const struct program_source *source, struct traced_program **program,
                                 struct error *error)
{
    enum status status = refuse(source, error);
    if (status != STATUS_OK)
        return status;
    struct traced_program *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    snprintf(made->name, sizeof made->name, "%s", source->name);
    made->entry_count = kernel_text_signatures(source->text, made->entries);
    status = temporary_folder_make(FOLDER_TRACE, &made->folder, error);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    if (!write_kernel(made, source) || !write_hooks(made))
        status =
            fail(error, STATUS_SYSTEM, "%s: %s cannot be written: %s", made->name, made->folder.path, strerror(errno));
    if (status == STATUS_OK)
        status = open_library(made, error);
    if (status != STATUS_OK) {
        traced_program_free(made);
        return status;
    }
    *program = made;
    return STATUS_OK;
}

void traced_program_hold_hooks(void)
{
    struct traced_program none = {.library = NULL};
    const bool has_folder = temporary_folder_make(FOLDER_TRACE, &none.folder, NULL) == STATUS_OK;
    none.sources.folder = none.folder.path;
    if (has_folder && write_hooks(&none))
        traced_module_hold_hooks(&none.sources);
    if (has_folder)
        temporary_folder_remove(&none.folder);
    cache_keep_within();
}

void traced_program_free(struct traced_program *program)
{
    if (program->silent_library)
        dlclose(program->silent_library);
    if (program->library)
        dlclose(program->library);
    temporary_folder_remove(&program->folder);
    free(program);
}

const struct kernel_signature *traced_program_entry(const struct traced_program *program, const char *entry)
{
    for (size_t i = 0; i < program->entry_count; i++)
        if (strcmp(program->entries[i].name, entry) == 0)
            return &program->entries[i];
    return NULL;
}

bool traced_argument_is_const(const struct traced_program *program, const char *entry, size_t argument)
{
    const struct kernel_signature *signature = traced_program_entry(program, entry);
    return signature && argument < signature->parameter_count && signature->parameters[argument].is_const;
}

traced_entry traced_program_function(const struct traced_program *program, const char *entry, bool silent)
{
    char name[KERNEL_NAME_MAX + 16];
    traced_entry function = NULL;
    snprintf(name, sizeof name, "uskor_enter_%s", entry);
    void *symbol = dlsym(silent ? program->silent_library : program->library, name);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

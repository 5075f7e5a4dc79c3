#include "explain/memory/traced_module.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain/memory/compiler.h"

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

/* The caller frees what it returns; NULL when the file cannot be read. */
static void *read_file(const char *folder, const char *name, size_t *bytes)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size > 0 && fseek(file, 0, SEEK_SET) == 0)
        data = malloc((size_t)size);
    if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
        free(data);
        data = NULL;
    }
    *bytes = data ? (size_t)size : 0;
    if (file)
        fclose(file);
    return data;
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
    size_t bytes = 0;
    void *data = read_file(folder, name, &bytes);
    if (data)
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

void traced_module_hold_hooks(const struct module_request *request)
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

enum status traced_module_make(const struct module_request *request, bool *was_cached, struct error *error)
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

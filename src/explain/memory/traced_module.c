#include "explain/memory/traced_module.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* They are the same for every kernel: where nothing is kept on disk, a process compiles them once. */
static struct {
    pthread_mutex_t lock;
    struct cache_key key;
    void *object;
    size_t bytes;
} kept_hooks = {.lock = PTHREAD_MUTEX_INITIALIZER};

static enum status compile_hooks(const struct module_request *request, const struct compiler *compiler,
                                 const struct cache_key *key, struct error *error)
{
    bool is_alone;
    if (!take(key, request->folder, "hooks.o")) {
        enum status status =
            compiler_compile(compiler, request->folder, "hooks", request->name, COMPILER_HOOKS, &is_alone, error);
        if (status != STATUS_OK)
            return status;
        keep(key, request->folder, "hooks.o");
    }
    free(kept_hooks.object);
    kept_hooks.key = *key;
    kept_hooks.object = read_file(request->folder, "hooks.o", &kept_hooks.bytes);
    return STATUS_OK;
}

static enum status make_hooks(const struct module_request *request, const struct compiler *compiler,
                              struct error *error)
{
    struct cache_key key = request->hooks;
    enum status status = STATUS_OK;
    compiler_add_key(compiler, COMPILER_HOOKS, &key);
    pthread_mutex_lock(&kept_hooks.lock);
    bool is_kept = kept_hooks.object && memcmp(&key, &kept_hooks.key, sizeof key) == 0 &&
                   write_file(request->folder, "hooks.o", kept_hooks.object, kept_hooks.bytes);
    if (!is_kept)
        status = compile_hooks(request, compiler, &key, error);
    pthread_mutex_unlock(&kept_hooks.lock);
    return status;
}

/* ---- the module ------------------------------------------------------------------------------------------------- */

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
    status = make_hooks(request, &compiler, error);
    if (status == STATUS_OK)
        status = compiler_compile(&compiler, request->folder, "kernel", request->name, output, &is_alone, error);
    if (status == STATUS_OK)
        status = compiler_link(&compiler, request->folder, file, request->name, error);
    if (status == STATUS_OK && is_alone)
        keep(&key, request->folder, file);
    return status;
}

#include "backends/dynamic_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the search has met so far. A file that is there but does not load tells more than one that is absent, so its
 * reason is the one to keep. */
struct search {
    char tried[384];
    char reason[384];
    bool found_broken;
};

static void *search_try(struct search *search, const char *path)
{
    /* Never unloaded: many runtimes leave threads behind, and what they keep. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle || search->found_broken)
        return handle;
    const char *reason = dlerror();
    search->found_broken = strchr(path, '/') && access(path, F_OK) == 0;
    snprintf(search->reason, sizeof search->reason, "%s", reason ? reason : "the loader gives no reason");
    return NULL;
}

static void *search_folders(struct search *search, const struct dynamic_library *library)
{
    for (const char *const *folder = library->folders; folder && *folder; folder++) {
        for (const char *const *name = library->names; **folder && *name; name++) {
            char path[4096];
            int length = snprintf(path, sizeof path, "%s/%s", *folder, *name);
            if (length < 0 || (size_t)length >= sizeof path)
                continue;
            void *handle = search_try(search, path);
            if (handle)
                return handle;
        }
    }
    return NULL;
}

static void *search_loader(struct search *search, const struct dynamic_library *library)
{
    for (const char *const *name = library->names; *name; name++) {
        size_t length = strlen(search->tried);
        snprintf(search->tried + length, sizeof search->tried - length, "%s%s", length ? ", " : "", *name);
        void *handle = search_try(search, *name);
        if (handle)
            return handle;
    }
    return NULL;
}

static enum status resolve(const struct dynamic_library *library, const struct dynamic_symbol *symbols, size_t count,
                           void *functions, void *handle, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (!address && !symbols[i].optional)
            return fail(error, STATUS_UNAVAILABLE, "%s has no function %s: another version is needed; %s",
                        library->title, symbols[i].name, library->advice);
        /* memcpy: ISO C knows no conversion from void * to a function pointer. */
        memcpy((char *)functions + symbols[i].offset, &address, sizeof address);
    }
    return STATUS_OK;
}

enum status dynamic_library_open(const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                                 size_t symbol_count, void *functions, void **handle, struct error *error)
{
    struct search search = {.tried = "", .reason = "", .found_broken = false};
    *handle = search_folders(&search, library);
    if (!*handle)
        *handle = search_loader(&search, library);
    if (!*handle)
        return fail(error, STATUS_UNAVAILABLE, "%s does not load (tried %s: %s): %s", library->title, search.tried,
                    search.reason, library->advice);

    enum status status = resolve(library, symbols, symbol_count, functions, *handle, error);
    if (status != STATUS_OK) {
        dynamic_library_close(*handle);
        *handle = NULL;
        for (size_t i = 0; i < symbol_count; i++)
            memset((char *)functions + symbols[i].offset, 0, sizeof(void *));
    }
    return status;
}

void dynamic_library_close(void *handle)
{
    if (handle)
        dlclose(handle);
}

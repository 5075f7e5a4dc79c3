#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <fenv.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/library_trial.h"
#include "base/library_versions.h"
#include "base/message.h"
#include "base/text.h"
#include "base/under_way.h"

/* The best reason so far. A file that exists and does not load says more than a missing one, so its reason wins. */
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
    if (reason && strstr(reason, ": cannot open shared object file: No such file or directory"))
        explain(search->reason, sizeof search->reason, "%s: there is no such file", path);
    else
        snprintf(search->reason, sizeof search->reason, "%s", reason ? reason : "the loader gives no reason");
    return NULL;
}

#define PATHS_MAX 30

/* Every path and name that is tried, in order. */
struct candidates {
    char storage[PATHS_MAX][LIBRARY_PATH_BYTES];
    const char *paths[PATHS_MAX + 1];
    size_t count;
};

/* A pattern that no file matches stays as it is, as in a shell: so the reason names it. `folder` NULL: the loader's. */
static void add_name(struct candidates *candidates, const char *folder, const char *name)
{
    if (candidates->count == PATHS_MAX)
        return;
    char *room = candidates->storage[candidates->count];
    const bool is_pattern = !strchr(name, '/') && name[0] && name[strlen(name) - 1] == '*';
    if (!is_pattern || !library_newest(folder, name, room)) {
        int length = folder ? snprintf(room, LIBRARY_PATH_BYTES, "%s/%s", folder, name) : 0;
        if (length < 0 || length >= LIBRARY_PATH_BYTES)
            return;
        candidates->paths[candidates->count++] = folder ? room : name;
    } else
        candidates->paths[candidates->count++] = room;
}

static void list_candidates(const struct dynamic_library *library, bool is_own, struct candidates *candidates)
{
    candidates->count = 0;
    for (const char *const *folder = library->folders; folder && *folder; folder++)
        for (const char *const *name = library->names; **folder == '/' && *name; name++)
            add_name(candidates, *folder, *name);
    for (const char *const *name = library->names; !is_own && *name; name++)
        add_name(candidates, NULL, *name);
    candidates->paths[candidates->count] = NULL;
}

static enum status refuse_relative(const struct dynamic_library *library, struct error *error)
{
    for (const char *const *name = library->names; *name; name++)
        if (strchr(*name, '/') && **name != '/')
            return fail(error, STATUS_UNAVAILABLE,
                        "%s is not looked for in %s, a path that depends on the current folder: give the whole path",
                        library->title, *name);
    return STATUS_OK;
}

static void *search(struct search *search, const struct dynamic_library *library, bool is_own,
                    const struct candidates *candidates)
{
    void *handle = NULL;
    for (size_t i = 0; i < candidates->count && !handle; i++) {
        /* Report a folder's failure only if nothing else was tried. */
        if (is_own || !library->folders || strchr(candidates->paths[i], '/') == NULL)
            text_append(search->tried, sizeof search->tried, "%s%s", search->tried[0] ? ", " : "",
                        candidates->paths[i]);
        handle = search_try(search, candidates->paths[i]);
    }
    return handle;
}

static enum status resolve(const struct dynamic_library *library, const struct dynamic_symbol *symbols, size_t count,
                           void *functions, void *handle, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (!address && !symbols[i].optional)
            return fail(error, STATUS_UNAVAILABLE, "%s has no function %s: another version is needed; %s",
                        library->title, symbols[i].name, library->advice);
        /* memcpy, because ISO C has no conversion from void * to a function pointer. */
        memcpy((char *)functions + symbols[i].offset, &address, sizeof address);
    }
    return STATUS_OK;
}

static enum status open_library(const struct dynamic_library *library, bool is_own,
                                const struct dynamic_symbol *symbols, size_t symbol_count, void *functions,
                                void **handle, struct error *error)
{
    struct search state = {.tried = "", .reason = "", .found_broken = false};
    struct candidates candidates;
    *handle = NULL;
    enum status status = refuse_relative(library, error);
    list_candidates(library, is_own, &candidates);
    if (status == STATUS_OK) /* a shim of ours brings a vendor's library along */
        status = library_trial(library->title, candidates.paths, error);
    if (status != STATUS_OK)
        return status;
    fenv_t floating; /* a library that was made with -ffast-math flushes subnormal numbers from its loading on */
    fegetenv(&floating);
    const bool is_first = atomic_load(&under_way_now()->kind) == UNDER_WAY_NOTHING;
    if (is_first) /* one that is remembered as harmless was not tried */
        under_way_begin(UNDER_WAY_DRIVER, library->title, "", "");
    under_way_load();
    *handle = search(&state, library, is_own, &candidates);
    under_way_loaded();
    if (is_first)
        under_way_end();
    fesetenv(&floating);
    if (!*handle)
        return fail(error, STATUS_UNAVAILABLE, "%s does not load (tried %s: %s): %s", library->title, state.tried,
                    state.reason, library->advice);

    status = resolve(library, symbols, symbol_count, functions, *handle, error);
    if (status != STATUS_OK) {
        dynamic_library_close(*handle);
        *handle = NULL;
        for (size_t i = 0; i < symbol_count; i++)
            memset((char *)functions + symbols[i].offset, 0, sizeof(void *));
    }
    return status;
}

enum status dynamic_library_open(const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                                 size_t symbol_count, void *functions, void **handle, struct error *error)
{
    return open_library(library, false, symbols, symbol_count, functions, handle, error);
}

enum status dynamic_library_open_own(const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                                     size_t symbol_count, void *functions, void **handle, struct error *error)
{
    return open_library(library, true, symbols, symbol_count, functions, handle, error);
}

void dynamic_library_close(void *handle)
{
    if (handle)
        dlclose(handle);
}

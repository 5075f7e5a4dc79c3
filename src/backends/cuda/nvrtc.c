#include "backends/cuda/nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dynamic_library.h"
#include "base/own_program.h"
#include "base/size.h"
#include "base/translation.h"

struct nvrtc_functions nvrtc;

#define FUNCTION(name, parameters) {"nvrtc" #name, offsetof(struct nvrtc_functions, name), 0},
static const struct dynamic_symbol symbols[] = {
    NVRTC_FUNCTIONS(FUNCTION){"nvrtcGetErrorString", offsetof(struct nvrtc_functions, GetErrorString), 0},
};
#undef FUNCTION

/* Newest first. From 11.2 on, all of CUDA 11 share one name. */
static const char *const file_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", NULL};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nvrtc_library loaded;
static bool is_loaded;

#define FOLDERS_MAX 8
#define PATH_BYTES 512

struct folders {
    char paths[FOLDERS_MAX][PATH_BYTES];
    const char *list[FOLDERS_MAX + 1];
    size_t count;
};

/* Adds base + rest; a base that is NULL or empty (a variable that is not set) adds nothing. */
static void add_folder(struct folders *folders, const char *base, const char *rest)
{
    if (!base || !*base || folders->count == FOLDERS_MAX)
        return;
    char *path = folders->paths[folders->count];
    int length = snprintf(path, PATH_BYTES, "%s%s", base, rest);
    if (length < 0 || length >= PATH_BYTES)
        return;
    folders->list[folders->count++] = path;
    folders->list[folders->count] = NULL;
}

/* Where set-up puts the library when the machine has no toolkit: build/nvrtc, beside the program or its tests. */
static void add_program_folder(struct folders *folders)
{
    char path[PATH_BYTES];
    if (!own_program_name(path, sizeof path))
        return;
    char *end = strrchr(path, '/');
    if (!end)
        return;
    *end = 0;
    add_folder(folders, path, "/nvrtc");
    add_folder(folders, path, "/../nvrtc");
}

static enum status open_library(struct error *error)
{
    struct dynamic_library library = {
        .title = N_("NVRTC, the compiler of CUDA C"),
        .names = file_names,
        .advice = N_("install NVIDIA's CUDA toolkit or its libnvrtc, or name its folder in USKOR_NVRTC"),
    };
    struct folders folders = {.count = 0};
    const char *own = getenv("USKOR_NVRTC");
    char own_paths[COUNT_OF(file_names) - 1][PATH_BYTES];
    const char *own_names[COUNT_OF(file_names)] = {own, NULL};
    if (own && *own) {
        struct stat about;
        for (size_t i = 0; stat(own, &about) == 0 && S_ISDIR(about.st_mode) && file_names[i]; i++) {
            snprintf(own_paths[i], PATH_BYTES, "%s/%s", own, file_names[i]);
            own_names[i] = own_paths[i];
        }
        library.names = own_names;
    } else {
        add_program_folder(&folders);
        add_folder(&folders, getenv("CUDA_PATH"), "/lib64");
        add_folder(&folders, getenv("CUDA_HOME"), "/lib64");
        add_folder(&folders, "/usr/local/cuda", "/lib64");
        add_folder(&folders, "/opt/cuda", "/lib64");
        library.folders = folders.list;
    }
    void *handle; /* stays open for as long as the program runs */
    return dynamic_library_open(&library, symbols, COUNT_OF(symbols), &nvrtc, &handle, error);
}

/* The library's file, and the toolkit's headers, for .cu files that include some: ../include seen from the library. */
static void find_files(struct nvrtc_library *library)
{
    Dl_info info;
    void *address;
    memcpy(&address, &nvrtc.Version, sizeof address);
    char known[PATH_BYTES + 64];
    if (!dladdr(address, &info) || !info.dli_fname || !strrchr(info.dli_fname, '/'))
        return;
    snprintf(library->path, sizeof library->path, "%s", info.dli_fname);
    int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    if (folder + 32 > (int)sizeof library->includes)
        return;
    snprintf(library->includes, sizeof library->includes, "%.*s/../include", folder, info.dli_fname);
    snprintf(known, sizeof known, "%s/cuda_fp16.h", library->includes);
    if (access(known, R_OK) != 0)
        library->includes[0] = 0;
}

static enum status describe(struct nvrtc_library *library, struct error *error)
{
    int count = 0;
    nvrtcResult result = nvrtc.Version(&library->major, &library->minor);
    if (result == NVRTC_SUCCESS)
        result = nvrtc.GetNumSupportedArchs(&count);
    if (result == NVRTC_SUCCESS && (count < 1 || (size_t)count > COUNT_OF(library->architectures)))
        return fail(error, STATUS_UNAVAILABLE, "NVRTC %d.%d says it compiles for %d architectures", library->major,
                    library->minor, count);
    if (result == NVRTC_SUCCESS)
        result = nvrtc.GetSupportedArchs(library->architectures);
    if (result != NVRTC_SUCCESS)
        return fail(error, STATUS_UNAVAILABLE, "NVRTC does not say what it compiles for: %s",
                    nvrtc.GetErrorString(result));
    library->architecture_count = count;
    find_files(library);
    return STATUS_OK;
}

enum status nvrtc_load(const struct nvrtc_library **library, struct error *error)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&lock);
    if (!is_loaded) {
        status = open_library(error);
        if (status == STATUS_OK)
            status = describe(&loaded, error);
        is_loaded = status == STATUS_OK;
    }
    pthread_mutex_unlock(&lock);
    *library = status == STATUS_OK ? &loaded : NULL;
    return status;
}

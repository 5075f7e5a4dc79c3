#include "kernels/cublas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "base/translation.h"

/* The functions that every user of the library needs. */
static struct {
    int (*Create)(void **handle);
    int (*Destroy)(void *handle);
    int (*SetStream)(void *handle, void *stream);
    const char *(*GetStatusString)(int code); /* NULL before 11.4.2 */
} functions;

static const struct dynamic_symbol own_symbols[] = {
    {"cublasCreate_v2", 0, 0},
    {"cublasDestroy_v2", sizeof(void *), 0},
    {"cublasSetStream_v2", 2 * sizeof(void *), 0},
    {"cublasGetStatusString", 3 * sizeof(void *), 1},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Where the library is looked for. */
struct place {
    const char *names[2], *folders[4];
    char toolkit_folder[512];
    struct dynamic_library library;
};

static void find_place(struct place *place)
{
    static const char *const file_names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so",
                                             NULL};
    const char *own = getenv("USKOR_CUBLAS"), *toolkit = getenv("CUDA_PATH");
    bool is_named = own && *own;
    *place = (struct place){
        .names = {own, NULL},
        .folders = {place->toolkit_folder, "/usr/local/cuda/lib64", "/opt/cuda/lib64", NULL},
        .library = {.title = "cuBLAS",
                    .names = is_named ? place->names : file_names,
                    .folders = is_named ? NULL : place->folders,
                    .advice = N_("install NVIDIA's CUDA toolkit or its libcublas, or name the file in USKOR_CUBLAS")},
    };
    snprintf(place->toolkit_folder, sizeof place->toolkit_folder, "%s/lib64",
             toolkit && *toolkit ? toolkit : "/usr/local/cuda");
}

enum status cublas_check(int code, const char *function, struct error *error)
{
    if (code == 0)
        return STATUS_OK;
    if (functions.GetStatusString)
        return fail(error, STATUS_UNAVAILABLE, "%s: %s", function, functions.GetStatusString(code));
    return fail(error, STATUS_UNAVAILABLE, "%s: cuBLAS's status %d", function, code);
}

static enum status open_own(const struct dynamic_library *library, struct error *error)
{
    void *handle; /* the loader counts: it is the same library each time, and stays open */
    pthread_mutex_lock(&lock);
    enum status status = dynamic_library_open(library, own_symbols, COUNT_OF(own_symbols), &functions, &handle, error);
    pthread_mutex_unlock(&lock);
    return status;
}

enum status cublas_prepare(struct run *run, size_t size, const struct dynamic_symbol *symbols, size_t symbol_count,
                           struct error *error)
{
    struct place place;
    find_place(&place);
    enum status status = open_own(&place.library, error);
    if (status == STATUS_OK)
        status = vendor_library_prepare(run, size, &place.library, symbols, symbol_count, error);
    if (status != STATUS_OK)
        return status;
    struct cublas *cublas = run->state;
    status = device_synchronize(run->device, error); /* its context is current from here on */
    if (status == STATUS_OK)
        status = cublas_check(functions.Create(&cublas->handle), "cublasCreate", error);
    if (status == STATUS_OK)
        status = cublas_check(functions.SetStream(cublas->handle, run->device->native_queue), "cublasSetStream", error);
    if (status != STATUS_OK)
        cublas_finish(run);
    return status;
}

void cublas_finish(struct run *run)
{
    const struct cublas *cublas = run->state;
    if (cublas->handle)
        functions.Destroy(cublas->handle);
    vendor_library_finish(run);
}

#include "kernels/cublas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

/* What every user of the library needs of it. */
static struct {
    int (*Create)(void **handle);
    int (*Destroy)(void *handle);
    int (*SetStream)(void *handle, void *stream);
    const char *(*GetStatusString)(int code); /* NULL before 11.4.2 */
} cublas;

static const struct dynamic_symbol own_symbols[] = {
    {"cublasCreate_v2", 0, 0},
    {"cublasDestroy_v2", sizeof(void *), 0},
    {"cublasSetStream_v2", 2 * sizeof(void *), 0},
    {"cublasGetStatusString", 3 * sizeof(void *), 1},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static enum status open_library(const struct dynamic_symbol *symbols, size_t count, void *functions,
                                struct error *error)
{
    static const char *const file_names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so",
                                             NULL};
    const char *own = getenv("USKOR_CUBLAS"), *toolkit = getenv("CUDA_PATH");
    const char *const own_name[] = {own, NULL};
    char toolkit_folder[512];
    snprintf(toolkit_folder, sizeof toolkit_folder, "%s/lib64", toolkit && *toolkit ? toolkit : "/usr/local/cuda");
    const char *const folders[] = {toolkit_folder, "/usr/local/cuda/lib64", "/opt/cuda/lib64", NULL};
    bool is_named = own && *own;
    const struct dynamic_library library = {
        .title = "cuBLAS",
        .names = is_named ? own_name : file_names,
        .folders = is_named ? NULL : folders,
        .advice = "install NVIDIA's CUDA toolkit or its libcublas, or name the file in USKOR_CUBLAS",
    };
    void *handle; /* the loader counts: it is the same library each time, and stays open */
    return dynamic_library_open(&library, symbols, count, functions, &handle, error);
}

enum status cublas_check(int code, const char *function, struct error *error)
{
    if (code == 0)
        return STATUS_OK;
    if (cublas.GetStatusString)
        return fail(error, STATUS_UNAVAILABLE, "%s: %s", function, cublas.GetStatusString(code));
    return fail(error, STATUS_UNAVAILABLE, "%s: cuBLAS's status %d", function, code);
}

enum status cublas_open(struct device *device, const struct dynamic_symbol *symbols, size_t symbol_count,
                        void *functions, void **handle, struct error *error)
{
    *handle = NULL;
    pthread_mutex_lock(&lock);
    enum status status = open_library(own_symbols, COUNT_OF(own_symbols), &cublas, error);
    pthread_mutex_unlock(&lock);
    if (status == STATUS_OK)
        status = open_library(symbols, symbol_count, functions, error);
    if (status == STATUS_OK)
        status = device_synchronize(device, error); /* its context is current from here on */
    if (status == STATUS_OK)
        status = cublas_check(cublas.Create(handle), "cublasCreate", error);
    if (status == STATUS_OK)
        status = cublas_check(cublas.SetStream(*handle, device->native_queue), "cublasSetStream", error);
    if (status == STATUS_OK)
        return STATUS_OK;
    cublas_close(*handle);
    *handle = NULL;
    return status;
}

void cublas_close(void *handle)
{
    if (handle)
        cublas.Destroy(handle);
}

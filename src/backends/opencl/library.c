#include "backends/opencl/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

struct opencl_functions cl;

static enum status open_status;
static struct error open_error;

static void open_library(void)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    static const char *const preloaded[] = {"", NULL}; /* the process itself */
    static const struct dynamic_symbol symbols[] = {
#define X(name) {"cl" #name, offsetof(struct opencl_functions, name), 0},
        OPENCL_FUNCTIONS(X)
#undef X
#define X(name) {"cl" #name, offsetof(struct opencl_functions, name), 1},
            OPENCL_LATER_FUNCTIONS(X)
#undef X
    };
    struct dynamic_library library = {
        .title = "OpenCL",
        .names = names,
        .advice = N_("install ocl-icd-libopencl1 and a driver: your GPU's, or pocl-opencl-icd to run on the processor"),
    };
    /* A preloaded OpenCL library (oclgrind's) takes precedence. */
    if (dlsym(RTLD_DEFAULT, "clGetPlatformIDs"))
        library.names = preloaded;
    void *handle;
    open_status = dynamic_library_open(&library, symbols, COUNT_OF(symbols), &cl, &handle, &open_error);
}

enum status opencl_library_open(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    if (open_status != STATUS_OK)
        return fail(error, open_status, "%s", open_error.text);
    return STATUS_OK;
}

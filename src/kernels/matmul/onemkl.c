/* oneMKL, Intel's library, if the user has installed it. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "kernels/matmul/cblas.h"

typedef void tells_version(char *text, int size);

static const struct dynamic_symbol symbols[] = {
    CBLAS_SYMBOLS,
    {"MKL_Set_Num_Threads", offsetof(struct cblas, set_threads), 0},
    {"MKL_Get_Version_String", offsetof(struct cblas, extra[0]), 1},
};

static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so", NULL};
static const char *const folders[] = {"/opt/intel/oneapi/mkl/latest/lib", "/opt/intel/oneapi/mkl/latest/lib/intel64",
                                      NULL};
static const struct dynamic_library library = {"oneMKL", names, folders,
                                               N_("install Intel's oneMKL, or run 'tools/setup onemkl'")};

static enum status prepare(struct run *run, struct error *error)
{
    enum status status = cblas_prepare(run, &library, symbols, COUNT_OF(symbols), error);
    const struct cblas *cblas = run->state;
    if (status == STATUS_OK && cblas->extra[0]) {
        char text[200] = ""; /* "… Version 2024.1-Product Build … for Intel(R) 64 architecture applications" */
        ((tells_version *)cblas->extra[0])(text, (int)sizeof text - 1);
        const char *version = strstr(text, "Version");
        snprintf(run->detail, sizeof run->detail, "%.60s", version ? version : text);
    }
    return status;
}

const struct rung matmul_onemkl = {
    .name = "onemkl",
    .idea = "oneMKL's cblas_sgemm and cblas_dgemm",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .takes = "batch",
    .supports = cblas_supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = cblas_enqueue,
};

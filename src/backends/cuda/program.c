#include "backends/cuda/program.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/compile.h"
#include "base/growing.h"
#include "base/size.h"

/* The driver compiles PTX itself (for a device newer than NVRTC), with a log of its own. */
static enum status load_module(struct cuda_program *program, const void *image, struct error *error)
{
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult result = cuda.ModuleLoadDataEx(&program->module, image, COUNT_OF(options), options, values);
    log[sizeof log - 1] = 0;
    return cuda_device_check(program->base.device, result, error, "loading %s%s%s", program->name, *log ? ": " : "",
                             log);
}

/* Rungs of three dimensions say so, as their grid cannot be folded. */
static bool folds(const struct program_source *source)
{
    if (source->language != LANGUAGE_OPENCL_C)
        return false;
    for (size_t i = 0; i < source->define_count; i++)
        if (strcmp(source->defines[i], "USKOR_RANK=3") == 0)
            return false;
    return true;
}

enum status cuda_build(struct device *device, const struct program_source *source, struct program **program,
                       struct error *error)
{
    const struct cuda_device *own = cuda_device_of(device);
    char architecture[CUDA_ARCHITECTURE_MAX];
    void *image = NULL;
    size_t bytes;
    *program = NULL;
    struct cuda_program *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a program", source->name);
    made->base.device = device;
    made->folds = folds(source);
    made->waits = own->major >= 9 && cuda.LaunchKernelEx && strstr(source->text, "wait_for_launch_before()");
    made->name = strdup(source->name);
    enum status status = cuda_use(device, error);
    if (status == STATUS_OK && !made->name)
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for a program", source->name);
    if (status == STATUS_OK)
        status = cuda_architecture(own->major, own->minor, source->language, architecture, error);
    if (status == STATUS_OK)
        status = cuda_compile_cached(source, architecture, cuda_driver_version(), &image, &bytes, error);
    if (status == STATUS_OK)
        status = load_module(made, image, error);
    free(image);
    if (status == STATUS_OK)
        *program = &made->base;
    else
        cuda_discard(&made->base);
    return status;
}

void cuda_discard(struct program *program)
{
    struct cuda_program *own = (struct cuda_program *)program;
    if (own->module && cuda_use(program->device, NULL) == STATUS_OK)
        cuda.ModuleUnload(own->module);
    for (size_t i = 0; i < own->function_count; i++)
        free(own->functions[i].name);
    free(own->functions);
    free(own->name);
    free(own);
}

static void ask_parameters(struct cuda_function *function)
{
    size_t offset, bytes, count = 0;
    if (!cuda.FuncGetParamInfo)
        return;
    while (count < CUDA_PARAMETERS_MAX &&
           cuda.FuncGetParamInfo(function->handle, count, &offset, &bytes) == CUDA_SUCCESS)
        function->parameter_bytes[count++] = (unsigned char)(bytes < 255 ? bytes : 255);
    function->parameter_count = count;
    function->knows_parameters = true;
}

static void ask_static_memory(struct cuda_function *function)
{
    int bytes = 0;
    if (cuda.FuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function->handle) == CUDA_SUCCESS)
        function->local_bytes_static = (size_t)bytes;
}

enum status cuda_program_function(struct cuda_program *program, const char *entry, struct cuda_function **function,
                                  struct error *error)
{
    for (size_t i = 0; i < program->function_count; i++) {
        if (strcmp(program->functions[i].name, entry) == 0) {
            *function = &program->functions[i];
            return STATUS_OK;
        }
    }
    struct cuda_function found = {.name = NULL};
    CUresult result = cuda.ModuleGetFunction(&found.handle, program->module, entry);
    if (result == CUDA_ERROR_NOT_FOUND)
        return fail(error, STATUS_INVALID,
                    "%s has no kernel called %s (in CUDA C it must be extern \"C\" __global__ void)", program->name,
                    entry);
    enum status status =
        cuda_device_check(program->base.device, result, error, "finding %s in %s", entry, program->name);
    if (status != STATUS_OK)
        return status;
    found.name = strdup(entry);
    if (!found.name || !array_grow(&program->functions, program->function_count, sizeof *program->functions)) {
        free(found.name);
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for %s", program->name, entry);
    }
    ask_parameters(&found);
    ask_static_memory(&found);
    program->functions[program->function_count] = found;
    *function = &program->functions[program->function_count++];
    return STATUS_OK;
}

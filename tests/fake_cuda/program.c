/* Modules, functions and launches, and the compiler: its machine code is the source, in which the driver's half then
 * finds functions and reads what parameters they have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/nvrtc.h"
#include "fake_cuda.h"

#define FUNCTION(name, parameters) EXPORT nvrtcResult nvrtc##name parameters;
NVRTC_FUNCTIONS(FUNCTION)
#undef FUNCTION
EXPORT const char *nvrtcGetErrorString(nvrtcResult result);

/* ---- the driver's half ---- */

struct CUfunc_st {
    char name[64];
    size_t bytes[64]; /* of each parameter */
    size_t count;
};

struct CUmod_st {
    char *text;
    struct CUfunc_st functions[8];
    int function_count;
};

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)
{
    const char *fault = fault_at(__func__);
    if (fault)
        harm_by(fault);
    if (fake_cuda.failing && strcmp(fake_cuda.failing, __func__) == 0) {
        for (unsigned i = 0; i < count; i++)
            if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
                strcpy(values[i], "the linker's words");
        return fake_cuda.failure;
    }
    *module = calloc(1, sizeof **module);
    (*module)->text = strdup(image);
    fake_cuda.modules++;
    fake_cuda.loads++;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
    MAY_FAIL;
    free(module->text);
    free(module);
    fake_cuda.modules--;
    return CUDA_SUCCESS;
}

static size_t bytes_of(const char *parameter, size_t length)
{
    char text[128];
    snprintf(text, sizeof text, "%.*s", (int)length, parameter);
    return strchr(text, '*') || strstr(text, "long") || strstr(text, "double") ? 8 : 4;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    MAY_FAIL;
    char wanted[80];
    snprintf(wanted, sizeof wanted, " %s(", name);
    /* A kernel's name follows its qualifiers, perhaps on a line of its own; a helper of that name has other ones. */
    const char *at = strstr(module->text, "__global__");
    const char *found = NULL;
    for (; at && !found; at = strstr(at + 1, "__global__")) {
        const char *here = strstr(at, wanted), *body = strchr(at, '{');
        found = here && (!body || here < body) ? here : NULL;
    }
    if (!found)
        found = strstr(module->text, wanted); /* OpenCL C says __kernel */
    at = found;
    if (!at || module->function_count == 8)
        return CUDA_ERROR_NOT_FOUND;
    struct CUfunc_st *made = &module->functions[module->function_count++];
    snprintf(made->name, sizeof made->name, "%s", name);
    for (at += strlen(wanted); *at && *at != ')'; at += *at == ',') {
        size_t length = strcspn(at, ",)");
        made->bytes[made->count++] = bytes_of(at, length);
        at += length;
    }
    *function = made;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    MAY_FAIL;
    (void)function;
    *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS                ? 128
             : attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 512
             : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES     ? 128
                                                                    : 0;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    MAY_FAIL;
    (void)function;
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        fake_cuda.local_bytes_asked = (unsigned)value;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    MAY_FAIL;
    if (index >= function->count)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = 8 * index;
    *bytes = function->bytes[index];
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned group_x,
                        unsigned group_y, unsigned group_z, unsigned local_bytes, CUstream stream, void **parameters,
                        void **extra)
{
    MAY_FAIL;
    if (!stream || extra)
        return CUDA_ERROR_INVALID_VALUE;
    fake_cuda.launches++;
    fake_cuda.profiled += fake_cuda.profiling;
    fake_cuda.last_stream = stream;
    snprintf(fake_cuda.function, sizeof fake_cuda.function, "%s", function->name);
    size_t written = strlen(fake_cuda.functions);
    snprintf(fake_cuda.functions + written, sizeof fake_cuda.functions - written, "%s\n", function->name);
    memcpy(fake_cuda.grid, (unsigned[]){groups_x, groups_y, groups_z}, sizeof fake_cuda.grid);
    memcpy(fake_cuda.group, (unsigned[]){group_x, group_y, group_z}, sizeof fake_cuda.group);
    fake_cuda.local_bytes = local_bytes;
    fake_cuda.argument_count = function->count;
    memset(fake_cuda.arguments, 0, sizeof fake_cuda.arguments);
    for (size_t i = 0; i < function->count; i++)
        memcpy(fake_cuda.arguments[i], parameters[i], function->bytes[i]);
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const struct cuda_launch_config *how, CUfunction function, void **parameters, void **extra)
{
    const unsigned *groups = how->groups, *group = how->group;
    fake_cuda.early += how->attribute_count == 1 &&
                       how->attributes->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
                       how->attributes->allowed;
    return cuLaunchKernel(function, groups[0], groups[1], groups[2], group[0], group[1], group[2], how->local_bytes,
                          how->stream, parameters, extra);
}

/* ---- the compiler's half ---- */

struct nvrtc_program {
    char *text, *name;
    char log[256];
};

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 8;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    *count = 3;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *architectures)
{
    memcpy(architectures, (int[]){75, 80, 90}, 3 * sizeof(int));
    return NVRTC_SUCCESS;
}

const char *nvrtcGetErrorString(nvrtcResult result)
{
    return result == NVRTC_SUCCESS ? "NVRTC_SUCCESS" : "NVRTC_ERROR";
}

/* The headers that the text includes, and the text. */
static char *with_headers(const char *text, int count, const char *const *headers, const char *const *names)
{
    size_t bytes = strlen(text) + 1;
    for (int i = 0; i < count; i++)
        bytes += strlen(headers[i]);
    char *whole = calloc(1, bytes);
    for (int i = 0; whole && i < count; i++) {
        char line[128];
        snprintf(line, sizeof line, "#include \"%s\"", names[i]);
        if (strstr(text, line))
            strcat(whole, headers[i]);
    }
    return whole ? strcat(whole, text) : NULL;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name, int header_count,
                               const char *const *headers, const char *const *header_names)
{
    if (header_count < 1 || !headers[0][0] || !header_names[0][0])
        return NVRTC_ERROR_INVALID_OPTION;
    *program = calloc(1, sizeof **program);
    (*program)->text = with_headers(text, header_count, headers, header_names);
    (*program)->name = strdup(name);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    free((*program)->text);
    free((*program)->name);
    free(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options)
{
    const char *fault = fault_at(__func__);
    if (fault)
        harm_by(fault);
    if (fault && strncmp(fault, "code-", 5) == 0)
        return (nvrtcResult)atoi(fault + 5);
    fake_cuda.compilations++;
    fake_cuda.options[0] = 0;
    for (int i = 0; i < option_count; i++) {
        size_t length = strlen(fake_cuda.options);
        snprintf(fake_cuda.options + length, sizeof fake_cuda.options - length, "%s\n", options[i]);
        if (strstr(options[i], "sm_99"))
            return NVRTC_ERROR_INVALID_OPTION;
    }
    if (!strstr(program->text, "#error"))
        return NVRTC_SUCCESS;
    snprintf(program->log, sizeof program->log, "%s(1): error: #error directive", program->name);
    return NVRTC_ERROR_COMPILATION;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
    *bytes = strlen(program->log) + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    strcpy(log, program->log);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
    *bytes = strlen(program->text);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    memcpy(cubin, program->text, strlen(program->text));
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes)
{
    return nvrtcGetCUBINSize(program, bytes);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    return nvrtcGetCUBIN(program, ptx);
}

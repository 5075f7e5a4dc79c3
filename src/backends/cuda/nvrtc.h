/* NVRTC, NVIDIA's compiler of CUDA C++ as a library: the functions that Uskor uses, declared after the "NVRTC"
 * reference and opened when the program runs. It needs neither a GPU nor a driver. */
#pragma once

#include <stddef.h>

#include "base/status.h"

typedef struct nvrtc_program *nvrtcProgram;

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
} nvrtcResult;

/* FUNCTION(name, parameters): the symbol is nvrtc<name>. */
#define NVRTC_FUNCTIONS(FUNCTION)                                                                          \
    FUNCTION(Version, (int *major, int *minor))                                                            \
    FUNCTION(GetNumSupportedArchs, (int *count))                                                           \
    FUNCTION(GetSupportedArchs, (int *architectures))                                                      \
    FUNCTION(CreateProgram, (nvrtcProgram * program, const char *text, const char *name, int header_count, \
                             const char *const *headers, const char *const *header_names))                 \
    FUNCTION(DestroyProgram, (nvrtcProgram * program))                                                     \
    FUNCTION(CompileProgram, (nvrtcProgram program, int option_count, const char *const *options))         \
    FUNCTION(GetProgramLogSize, (nvrtcProgram program, size_t * bytes))                                    \
    FUNCTION(GetProgramLog, (nvrtcProgram program, char *log))                                             \
    FUNCTION(GetCUBINSize, (nvrtcProgram program, size_t * bytes))                                         \
    FUNCTION(GetCUBIN, (nvrtcProgram program, char *cubin))                                                \
    FUNCTION(GetPTXSize, (nvrtcProgram program, size_t * bytes))                                           \
    FUNCTION(GetPTX, (nvrtcProgram program, char *ptx))

struct nvrtc_functions {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration */
#define FUNCTION(name, parameters) nvrtcResult(*name) parameters;
    NVRTC_FUNCTIONS(FUNCTION)
#undef FUNCTION
    const char *(*GetErrorString)(nvrtcResult result);
};

/* The library's functions; NULL until nvrtc_load has succeeded. */
extern struct nvrtc_functions nvrtc;

struct nvrtc_library {
    int major, minor;      /* 13, 0 */
    char path[512];        /* the library's file; empty when the loader does not tell */
    char includes[512];    /* the toolkit's headers beside the library; empty when there are none */
    int architectures[64]; /* 90 for compute capability 9.0, ascending: what it makes machine code for */
    int architecture_count;
};

/* Opens NVRTC on the first success; cheap afterwards, and any thread may call it. It is looked for beside the program
 * (nvrtc/), in $CUDA_PATH, $CUDA_HOME and /usr/local/cuda, and where the loader looks; when the environment variable
 * USKOR_NVRTC names a folder or a file, there alone. STATUS_UNAVAILABLE says what was tried and what to install. */
enum status nvrtc_load(const struct nvrtc_library **library, struct error *error);

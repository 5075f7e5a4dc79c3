/* A loaded program and its entry functions. */
#pragma once

#include "backends/cuda/device.h"

#define CUDA_PARAMETERS_MAX 64

struct cuda_function {
    char *name;
    CUfunction handle;
    bool knows_parameters;  /* drivers report them since CUDA 12.4 */
    size_t parameter_count; /* at most CUDA_PARAMETERS_MAX */
    unsigned char parameter_bytes[CUDA_PARAMETERS_MAX];
    size_t local_bytes_static; /* local memory that its source declares, beside a launch's */
    size_t local_bytes_asked;  /* the dynamic local memory it is set up for */
};

struct cuda_program {
    struct program base;
    char *name; /* the source's, for messages */
    CUmodule module;
    bool waits;                      /* its kernels begin with wait_for_launch_before(), and the device knows that */
    bool folds;                      /* its second dimension is folded over y and z of the grid: prelude.cuh */
    struct cuda_function *functions; /* the requested ones */
    size_t function_count;
};

/* The function called `entry`, looked up in the module once. The pointer is good until the next call. STATUS_INVALID
 * when the program has none of that name. */
enum status cuda_program_function(struct cuda_program *program, const char *entry, struct cuda_function **function,
                                  struct error *error);

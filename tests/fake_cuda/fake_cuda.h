/* A CUDA driver and an NVRTC made of host memory, so that the backend's paths are tested without a GPU. Kernels do not
 * run: a launch is written down. The test opens the same shared object and finds this struct as `fake_cuda`. */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/driver.h"
#include "faulty/harm.h"

struct fake_cuda {
    /* The simulated driver's properties, set by the test. */
    int device_count;
    int major, minor;    /* compute capability */
    const char *failing; /* this function ("cuMemAlloc_v2") gives `failure` instead of working */
    CUresult failure;
    int capturing; /* every stream is under capture, as far as the driver says; calls work all the same */
    int separated; /* devices do not reach each other's memory */

    /* Live objects; all 0 after everything was freed. */
    int contexts, streams, events, modules, allocations, pinned;
    int priority; /* of the stream made last: 0, or the greatest, -5 */

    /* Counts of calls. */
    int compilations, loads, launches, early, waits, rectangles, prefetched, peers, peer_copies, fills;
    int profiling, profiled; /* inside the profiler's range; launches there */
    CUstream last_stream;    /* that something was enqueued in, or that was waited for */
    char options[4096];      /* of the last compilation, one a line */
    char functions[512];     /* of all launches since the test began, one a line; the test empties it */
    char function[64];       /* of the last launch, and so on */
    unsigned grid[3], group[3], local_bytes;
    unsigned local_bytes_asked; /* through cuFuncSetAttribute */
    unsigned char arguments[64][8];
    size_t argument_count;
};

/* ---- for the files of the shared object ---- */

#define EXPORT __attribute__((visibility("default")))

extern EXPORT struct fake_cuda fake_cuda;

/* A field's address by its name, for callers that cannot read the struct (python/tests); NULL: it is none of those that
 * are told. */
EXPORT const void *fake_cuda_field(const char *name);

/* The prototypes are made from the backend's own list, so that the two cannot disagree. */
#define FUNCTION(name, version, optional, parameters) EXPORT CUresult cu##name##version parameters;
CUDA_DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION

/* For a program that cannot set the struct: FAULT=cuMemAlloc_v2-hang in the environment (faulty/harm.h), or
 * cuMemAlloc_v2-code-42. */
#define MAY_FAIL                                                           \
    do {                                                                   \
        const char *fault = fault_at(__func__);                            \
        if (fake_cuda.failing && strcmp(fake_cuda.failing, __func__) == 0) \
            return fake_cuda.failure;                                      \
        if (fault && strncmp(fault, "code-", 5) == 0)                      \
            return (CUresult)atoi(fault + 5);                              \
        if (fault)                                                         \
            harm_by(fault);                                                \
    } while (0)

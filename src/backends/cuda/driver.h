/* The part of CUDA's driver interface that Uskor uses, declared here after NVIDIA's "CUDA Driver API" reference, so
 * that no CUDA header is needed to build. The library comes with the driver and is opened when the program runs. */
#pragma once

#include <stddef.h>

#include "base/status.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef unsigned long long CUtexObject;

/* The results that are distinguished; cuda_check explains them to the user. */
typedef enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
} CUresult;

typedef enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
} CUdevice_attribute;

typedef enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
} CUfunction_attribute;

typedef enum {
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
} CUjit_option;

enum {
    CU_STREAM_NON_BLOCKING = 1, /* no implicit order with the default stream */
    CU_EVENT_DEFAULT = 0,       /* with timing */
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEMHOSTALLOC_PORTABLE = 1,
    CU_MEMHOSTALLOC_DEVICEMAP = 2, /* the device may read and write it over the bus */
    CU_MEM_ATTACH_GLOBAL = 1,      /* managed memory that every stream may use */
    CU_DEVICE_CPU = -1,            /* where managed memory's pages may be sent for to */
};

/* A texture of rows in plain memory: what CUDA_RESOURCE_DESC holds for CU_RESOURCE_TYPE_PITCH2D. */
struct cuda_pitched_pixels {
    int resource_type; /* CU_RESOURCE_TYPE_PITCH2D */
    union {
        struct {
            CUdeviceptr address;
            int format; /* CU_AD_FORMAT_UNSIGNED_INT8 */
            unsigned channels;
            size_t width, height, pitch_bytes;
        };
        int reserved[32];
    };
    unsigned flags;
};

/* CUDA_TEXTURE_DESC. */
struct cuda_texture_reading {
    int address_mode[3];
    int filter_mode;
    unsigned flags; /* 0: coordinates in pixels, bytes read as 0 … 1 */
    unsigned anisotropy;
    int mipmap_filter_mode;
    float mipmap_bias, mipmap_low, mipmap_high;
    float border[4];
    int reserved[12];
};

/* CUDA_MEMCPY2D. */
struct cuda_copy_rows {
    size_t from_x_bytes, from_y;
    int from_kind; /* CU_MEMORYTYPE_DEVICE */
    const void *from_host;
    CUdeviceptr from;
    void *from_array;
    size_t from_pitch;
    size_t to_x_bytes, to_y;
    int to_kind;
    void *to_host;
    CUdeviceptr to;
    void *to_array;
    size_t to_pitch;
    size_t width_bytes, height;
};

/* CUlaunchAttribute with programmaticStreamSerializationAllowed. */
struct cuda_launch_attribute {
    int id; /* CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION */
    int reserved;
    union {
        int allowed;
        char room[64];
    };
};

/* CUlaunchConfig. */
struct cuda_launch_config {
    unsigned groups[3], group[3], local_bytes;
    CUstream stream;
    const struct cuda_launch_attribute *attributes;
    unsigned attribute_count;
};

enum {
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_RESOURCE_TYPE_PITCH2D = 3,
    CU_AD_FORMAT_UNSIGNED_INT8 = 1,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_FILTER_MODE_LINEAR = 1,
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
};

/* FUNCTION(name, version, optional, parameters): the symbol is cu<name><version>. The versions are the ones whose
 * parameters stand here; drivers keep them. */
#define CUDA_DRIVER_FUNCTIONS(FUNCTION)                                                                              \
    FUNCTION(Init, , 0, (unsigned flags))                                                                            \
    FUNCTION(DriverGetVersion, , 0, (int *version))                                                                  \
    FUNCTION(GetErrorName, , 0, (CUresult result, const char **name))                                                \
    FUNCTION(GetErrorString, , 0, (CUresult result, const char **text))                                              \
    FUNCTION(DeviceGetCount, , 0, (int *count))                                                                      \
    FUNCTION(DeviceGet, , 0, (CUdevice * device, int index))                                                         \
    FUNCTION(DeviceGetName, , 0, (char *name, int size, CUdevice device))                                            \
    FUNCTION(DeviceTotalMem, _v2, 0, (size_t * bytes, CUdevice device))                                              \
    FUNCTION(DeviceGetAttribute, , 0, (int *value, CUdevice_attribute attribute, CUdevice device))                   \
    FUNCTION(DeviceGetPCIBusId, , 0, (char *address, int size, CUdevice device))                                     \
    FUNCTION(DevicePrimaryCtxRetain, , 0, (CUcontext * context, CUdevice device))                                    \
    FUNCTION(DevicePrimaryCtxRelease, _v2, 0, (CUdevice device))                                                     \
    FUNCTION(DeviceCanAccessPeer, , 1, (int *can, CUdevice device, CUdevice peer))                                   \
    FUNCTION(CtxEnablePeerAccess, , 1, (CUcontext peer, unsigned flags))                                             \
    FUNCTION(CtxSetCurrent, , 0, (CUcontext context))                                                                \
    FUNCTION(CtxGetCurrent, , 1, (CUcontext * context))                                                              \
    FUNCTION(CtxGetDevice, , 1, (CUdevice * device))                                                                 \
    FUNCTION(StreamGetCtx, , 1, (CUstream stream, CUcontext * context)) /* 9.2 */                                    \
    FUNCTION(StreamIsCapturing, , 1, (CUstream stream, int *status))                                                 \
    FUNCTION(MemAlloc, _v2, 0, (CUdeviceptr * address, size_t bytes))                                                \
    FUNCTION(MemFree, _v2, 0, (CUdeviceptr address))                                                                 \
    FUNCTION(MemAllocManaged, , 0, (CUdeviceptr * address, size_t bytes, unsigned flags))                            \
    FUNCTION(MemPrefetchAsync, , 1, (CUdeviceptr address, size_t bytes, CUdevice target, CUstream stream))           \
    FUNCTION(MemHostAlloc, , 0, (void **memory, size_t bytes, unsigned flags))                                       \
    FUNCTION(MemHostGetDevicePointer, _v2, 0, (CUdeviceptr * address, void *memory, unsigned flags))                 \
    FUNCTION(MemHostRegister, _v2, 0, (void *memory, size_t bytes, unsigned flags))                                  \
    FUNCTION(MemHostUnregister, , 0, (void *memory))                                                                 \
    FUNCTION(MemFreeHost, , 0, (void *memory))                                                                       \
    FUNCTION(MemcpyHtoDAsync, _v2, 0, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))             \
    FUNCTION(MemcpyDtoHAsync, _v2, 0, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))                   \
    FUNCTION(MemcpyDtoDAsync, _v2, 0, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))             \
    FUNCTION(MemcpyPeerAsync, , 1,                                                                                   \
             (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,          \
              CUstream stream))                                                                                      \
    FUNCTION(MemsetD8Async, , 0, (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))               \
    FUNCTION(Memcpy2DAsync, _v2, 1, (const struct cuda_copy_rows *copy, CUstream stream))                            \
    FUNCTION(TexObjectCreate, , 1,                                                                                   \
             (CUtexObject * texture, const struct cuda_pitched_pixels *pixels,                                       \
              const struct cuda_texture_reading *reading, const void *view))                                         \
    FUNCTION(TexObjectDestroy, , 1, (CUtexObject texture))                                                           \
    FUNCTION(StreamCreate, , 0, (CUstream * stream, unsigned flags))                                                 \
    FUNCTION(StreamCreateWithPriority, , 1, (CUstream * stream, unsigned flags, int priority))                       \
    FUNCTION(CtxGetStreamPriorityRange, , 1, (int *least, int *greatest))                                            \
    FUNCTION(StreamDestroy, _v2, 0, (CUstream stream))                                                               \
    FUNCTION(StreamSynchronize, , 0, (CUstream stream))                                                              \
    FUNCTION(StreamWaitEvent, , 0, (CUstream stream, CUevent event, unsigned flags))                                 \
    FUNCTION(EventCreate, , 0, (CUevent * event, unsigned flags))                                                    \
    FUNCTION(EventDestroy, _v2, 0, (CUevent event))                                                                  \
    FUNCTION(EventRecord, , 0, (CUevent event, CUstream stream))                                                     \
    FUNCTION(EventSynchronize, , 0, (CUevent event))                                                                 \
    FUNCTION(EventElapsedTime, , 0, (float *milliseconds, CUevent from, CUevent to))                                 \
    FUNCTION(ModuleLoadDataEx, , 0,                                                                                  \
             (CUmodule * module, const void *image, unsigned count, CUjit_option *options, void **values))           \
    FUNCTION(ModuleUnload, , 0, (CUmodule module))                                                                   \
    FUNCTION(ModuleGetFunction, , 0, (CUfunction * function, CUmodule module, const char *name))                     \
    FUNCTION(FuncGetAttribute, , 0, (int *value, CUfunction_attribute attribute, CUfunction function))               \
    FUNCTION(FuncSetAttribute, , 0, (CUfunction function, CUfunction_attribute attribute, int value))                \
    FUNCTION(FuncGetParamInfo, , 1, (CUfunction function, size_t index, size_t * offset, size_t * bytes)) /* 12.4 */ \
    FUNCTION(TensorMapEncodeTiled, , 1,                                                                   /* 12.0 */ \
             (void *map, int type, unsigned rank, void *address, const unsigned long long *sides,                    \
              const unsigned long long *strides, const unsigned *box, const unsigned *steps, int interleave,         \
              int swizzle, int promotion, int fill))                                                                 \
    FUNCTION(ProfilerStart, , 1, (void))                                                                             \
    FUNCTION(ProfilerStop, , 1, (void))                                                                              \
    FUNCTION(LaunchKernelEx, , 1, /* 11.8 */                                                                         \
             (const struct cuda_launch_config *how, CUfunction function, void **parameters, void **extra))           \
    FUNCTION(LaunchKernel, , 0,                                                                                      \
             (CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned group_x,        \
              unsigned group_y, unsigned group_z, unsigned local_bytes, CUstream stream, void **parameters,          \
              void **extra))

struct cuda_driver {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration */
#define FUNCTION(name, version, optional, parameters) CUresult(*name) parameters;
    CUDA_DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* The driver's functions; NULL until cuda_driver_load has succeeded. */
extern struct cuda_driver cuda;

/* Opens and initialises the driver on the first success; cheap afterwards, and any thread may call it. The environment
 * variable USKOR_LIBCUDA names another file than libcuda.so.1. STATUS_UNAVAILABLE says why there is no CUDA here and
 * what to install. */
enum status cuda_driver_load(struct error *error);

/* 13000 for CUDA 13.0: what the driver supports. */
int cuda_driver_version(void);

/* STATUS_OK for success; else the message is what was being done, then the driver's name and words for the result.
 * After a kernel has crashed (STATUS_FAILED) the driver gives its result to every call until the process ends: those
 * calls are STATUS_UNAVAILABLE and say that. */
enum status cuda_check(CUresult result, struct error *error, const char *doing, ...)
    __attribute__((format(printf, 3, 4)));

/* Device, buffer, program, launch: all that a kernel may include of the machine.
 *
 * A backend is a constant table of functions. What it cannot do it refuses with a reason; nothing is substituted.
 * Kernels call the device_* functions below, never a backend's table. One device is used by one thread at a time. */
#ifndef USKOR_BACKENDS_BACKEND_H
#define USKOR_BACKENDS_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct device;
struct program;
struct texture;
struct mark;

/* ---- devices ---------------------------------------------------------------------------------------------- */

/* Row V1. A number is 0 and a string empty where the device does not tell. */
struct device_properties {
    char name[256]; /* what the maker calls it */
    char vendor[128];
    char driver[128];  /* driver or runtime, with its version */
    char version[128]; /* compute capability "9.0"; OpenCL version; instruction sets of a CPU */
    bool is_cpu;       /* its ranking of rungs says nothing about a GPU */
    uint64_t memory_bytes;
    uint64_t local_bytes_per_group;       /* what one group may have without asking */
    uint64_t local_bytes_per_group_limit; /* what it may have when it asks (CUDA: opt-in) */
    uint64_t local_bytes_per_unit;
    uint64_t constant_bytes;
    uint64_t cache_bytes; /* last level */
    uint32_t registers_per_group;
    uint32_t registers_per_unit;
    uint32_t warp_items;     /* CUDA warp; OpenCL preferred multiple; a CPU's vector of floats */
    uint32_t group_items;    /* most items in a group */
    uint32_t group_size[3];  /* most items along each dimension */
    uint64_t grid_groups[3]; /* most groups along each dimension; 0: no limit */
    uint32_t units;          /* multiprocessors, compute units, cores in use */
    uint32_t items_per_unit; /* most resident items on a multiprocessor */
    uint32_t clock_mhz;
    uint32_t memory_clock_mhz;
    uint32_t memory_bus_bits;
    char bus[64]; /* "PCIe 5.0 x16" or a PCI address */
    bool has_double;
    bool has_images;
    bool unified_memory; /* host and device share one memory */
};

/* What of a device's kind a rung may ask for: where it runs. */
enum backend_kind {
    BACKEND_CPU = 1 << 0,
    BACKEND_OPENCL = 1 << 1,
    BACKEND_CUDA = 1 << 2,
    BACKEND_NULL = 1 << 3,
};

/* ---- memory ----------------------------------------------------------------------------------------------- */

struct buffer {
    struct device *device;
    size_t bytes;
    void *host;       /* the address a CPU rung uses; NULL on devices with memory of their own */
    uintptr_t native; /* CUdeviceptr, cl_mem, or the host address: for vendor libraries */
    bool is_view;
    void *detail; /* the backend's own */
};

/* Every allocation starts at a multiple of this, and views must too. */
#define BUFFER_ALIGNMENT 4096

/* A picture of RGBA bytes that the texture unit reads: at any place, interpolated between the four nearest pixels, as
 * numbers from 0 to 1; beyond an edge it has the edge's pixels. In a kernel: texture_argument, texture_linear(…). */
struct texture {
    struct device *device;
    size_t width, height;
    uintptr_t native; /* CUtexObject or cl_mem */
};

/* ---- programs --------------------------------------------------------------------------------------------- */

enum language {
    LANGUAGE_OPENCL_C, /* the subset that the preludes map to every device */
    LANGUAGE_CUDA_C,   /* CUDA only */
};

struct program_source {
    const char *name; /* for messages: "transpose/naive.cl" or the user's path */
    const char *text;
    enum language language;
    const char *const *defines; /* "TILE=32", … */
    size_t define_count;
};

enum argument_kind {
    ARGUMENT_BUFFER,
    ARGUMENT_INT,  /* int: 32 bits */
    ARGUMENT_LONG, /* long: 64 bits */
    ARGUMENT_FLOAT,
    ARGUMENT_DOUBLE,
    ARGUMENT_TEXTURE,
};

struct argument_value {
    enum argument_kind kind;
    union {
        const struct buffer *buffer;
        int32_t int_value;
        int64_t long_value;
        float float_value;
        double double_value;
        const struct texture *texture;
    };
};

struct launch {
    const char *entry;  /* the kernel function's name */
    int rank;           /* 1, 2 or 3: dimensions of the index space */
    size_t group[3];    /* items per group; 1 beyond the rank */
    size_t groups[3];   /* groups; 1 beyond the rank. Any 0: nothing is launched, and that is not an error */
    size_t local_bytes; /* dynamic local memory (CUDA C programs only) */
    const struct argument_value *arguments;
    size_t argument_count;
};

/* ---- the table a backend fills ---------------------------------------------------------------------------- */

struct backend {
    const char *name; /* "cpu", "opencl", "cuda", "null" */
    enum backend_kind kind;

    /* Counts devices. STATUS_UNAVAILABLE with why, and what to install, when there are none. May be called
     * any number of times. */
    enum status (*probe)(int *count, struct error *error);

    /* Opens device `index` (below the probed count); the caller closes it. */
    enum status (*open)(int index, struct device **device, struct error *error);
    void (*close)(struct device *device);

    /* `bytes` may be 0. Memory is uninitialised. */
    enum status (*allocate)(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
    /* A window of `parent`, aligned to BUFFER_ALIGNMENT; released before its parent. */
    enum status (*view)(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error);
    void (*release)(struct buffer *buffer);

    /* Host to device and back: finished when they return. */
    enum status (*write)(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error);
    enum status (*read)(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error);
    /* Enqueued, in order: device to device (the fastest copy the device has), and a repeated byte. */
    enum status (*copy)(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error);
    enum status (*fill)(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error);

    /* NULL where there are no textures. */
    enum status (*texture_create)(struct device *device, size_t width, size_t height, struct texture **texture,
                                  struct error *error);
    void (*texture_destroy)(struct texture *texture);
    enum status (*texture_load)(struct texture *texture, const struct buffer *pixels, struct error *error);

    /* Compiles; the compiler's log is in the message on failure (STATUS_INVALID). */
    enum status (*build)(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error);
    void (*discard)(struct program *program);
    enum status (*launch)(struct program *program, const struct launch *launch, struct error *error);

    /* Marks in the device's queue: record enqueues one, elapsed waits for both and subtracts. */
    enum status (*mark_create)(struct device *device, struct mark **mark, struct error *error);
    void (*mark_destroy)(struct mark *mark);
    enum status (*mark_record)(struct mark *mark, struct error *error);
    enum status (*mark_elapsed)(struct mark *from, struct mark *to, double *nanoseconds, struct error *error);

    /* Waits until everything enqueued is done; reports errors that came late. */
    enum status (*synchronize)(struct device *device, struct error *error);
};

/* Every backend's device begins with this. */
struct device {
    const struct backend *backend;
    int index;
    char id[32]; /* "cuda:0"; "cpu" and "null" have no number */
    struct device_properties properties;
    /* For vendor libraries: CUstream or cl_command_queue; NULL elsewhere. */
    void *native_queue;
};

struct program {
    struct device *device;
};

struct mark {
    struct device *device;
};

/* All backends, in the order they are shown: cpu, opencl, cuda, null; NULL-terminated. */
extern const struct backend *const backends[];

/* ---- what kernels and the lab call ------------------------------------------------------------------------ */

/* Opens the device called `id`: "cpu", "opencl:1", "cuda" (the same as "cuda:0"). Unknown names get the closest match.
 */
enum status device_open(const char *id, struct device **device, struct error *error);
void device_close(struct device *device);

/* True for the only backend whose devices do nothing. */
static inline bool device_is_null(const struct device *device)
{
    return device->backend->kind == BACKEND_NULL;
}

enum status buffer_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status buffer_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error);
void buffer_release(struct buffer *buffer); /* a zeroed buffer is fine */
/* These four check the range first (STATUS_INVALID). A copy's ranges must not overlap, through views either. */
enum status buffer_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error);
enum status buffer_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error);
enum status buffer_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error);
enum status buffer_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error);

/* A texture of width × height pixels (both at least 1) without content. STATUS_UNAVAILABLE where the device has no
 * textures, or none so large. */
enum status texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                           struct error *error);
void texture_destroy(struct texture *texture); /* NULL is fine */
/* Enqueued: makes the texture show the buffer's first width * height pixels of 4 bytes, rows without gaps. Where the
 * device can read the buffer as it lies nothing is moved, and the buffer must stay as it is while it is read; elsewhere
 * the pixels are copied. */
enum status texture_load(struct texture *texture, const struct buffer *pixels, struct error *error);

enum status program_build(struct device *device, const struct program_source *source, struct program **program,
                          struct error *error);
void program_discard(struct program *program); /* NULL is fine */
/* Checks the launch's shape (STATUS_INVALID), and group and grid against the device's limits (STATUS_UNAVAILABLE: this
 * device cannot); the message names the limit. */
enum status launch_check(const struct device *device, const struct launch *launch, struct error *error);
/* Checks the launch and its arguments, then launches. */
enum status program_launch(struct program *program, const struct launch *launch, struct error *error);

enum status mark_create(struct device *device, struct mark **mark, struct error *error);
void mark_destroy(struct mark *mark); /* NULL is fine */
enum status mark_record(struct mark *mark, struct error *error);
enum status mark_elapsed(struct mark *from, struct mark *to, double *nanoseconds, struct error *error);
enum status device_synchronize(struct device *device, struct error *error);

#endif

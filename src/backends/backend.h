/* Device, buffer, program, launch: all that a kernel may include of the machine.
 *
 * A backend is a constant table of functions. It refuses an unsupported operation with a reason; nothing is
 * substituted. Kernels call the device_* functions below, never a backend's table. One device is used by one thread at
 * a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"
#include "base/status.h"

struct device;
struct program;
struct texture;
struct event;
struct queue;
struct peer_copy;
struct peer_link;
struct sensors;

/* ---- devices ---------------------------------------------------------------------------------------------- */

/* A device's properties. A number is 0 and a string empty where the device does not report it. */
struct device_properties {
    char name[256]; /* the vendor's name for it */
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
    uint32_t cores;          /* that a CPU's machine has, in use or not */
    uint32_t items_per_unit; /* most resident items on a multiprocessor */
    uint32_t clock_mhz;
    uint32_t memory_clock_mhz;
    uint32_t memory_bus_bits;
    char bus[64];                  /* "PCIe 5.0 x16" or a PCI address */
    uint64_t bus_bytes_per_second; /* what that bus carries each way, after its line code */
    bool has_double;
    bool flushes_subnormals; /* declares that it takes subnormal floats for zeros */
    bool has_images;
    bool unified_memory; /* host and device share one memory */
};

/* The kinds of device that a rung can require: where it runs. */
enum backend_kind {
    BACKEND_CPU = 1 << 0,
    BACKEND_OPENCL = 1 << 1,
    BACKEND_CUDA = 1 << 2,
    BACKEND_NULL = 1 << 3,
    BACKEND_OPENGL = 1 << 4,
};

/* ---- memory ----------------------------------------------------------------------------------------------- */

/* Where the host's side of a job lies, and how the device gets at it. */
enum memory_kind {
    MEMORY_PAGEABLE,   /* plain memory: the driver copies it piece by piece through memory that it has pinned */
    MEMORY_PINNED,     /* locked in its place by the driver that gave it: the device fetches it itself */
    MEMORY_REGISTERED, /* plain memory on large pages, locked afterwards */
    MEMORY_MANAGED,    /* one memory for both; each page migrates to the processor that touches it */
    MEMORY_PREFETCHED, /* the same, but all pages are prefetched to the side that works next */
    MEMORY_MAPPED,     /* stays with the host; the device reads and writes it over the bus */
    MEMORY_KIND_COUNT,
};

struct buffer {
    struct device *device;
    size_t bytes;
    void *host;       /* the address a CPU rung uses; NULL on devices with memory of their own, unless it is shared and
                         the host's turn (buffer_map) */
    uintptr_t native; /* CUdeviceptr, cl_mem, or the host address: for vendor libraries */
    bool is_view;
    enum memory_kind sharing; /* its kind where host and device share it (memory_kind_is_shared); else 0 */
    void *detail;             /* the backend's own */
};

/* Pinned host memory. */
struct host_memory {
    struct device *device;
    enum memory_kind kind; /* MEMORY_PINNED or MEMORY_REGISTERED */
    void *data;
    size_t bytes;
    void *detail; /* the backend's own */
};

/* A rectangle of bytes between host memory and a buffer: `rows` rows of `width` bytes, whose beginnings are a pitch
 * apart on either side (at least the width; of no matter when there is one row). */
struct transfer {
    size_t offset, pitch; /* in the buffer */
    void *host;           /* read, or written, where the first row begins */
    size_t host_pitch;
    size_t width, rows;
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

/* A matrix in a buffer as a GPU's copy engine moves it: box by box, between its rows and shared memory (CUDA's tensor
 * map). There a box's rows follow one another; each has 128 bytes, whose pieces of 16 are swizzled: piece p of row r is
 * at p xor r mod 8. What is beyond an edge is read as zeros and not written. */
struct tile_map {
    _Alignas(64) unsigned char bits[128];
};

struct tile_map_shape {
    enum element_type type; /* f16, bf16 or f32 */
    size_t offset;          /* of the matrix in the buffer, bytes: a multiple of 16 */
    size_t rows, cols;      /* at least 1, at most 2^31 */
    size_t row_bytes;       /* from row to row: a multiple of 16 */
    unsigned box_rows;      /* at most 256; a box has as many columns as 128 bytes hold */
};

/* ---- programs --------------------------------------------------------------------------------------------- */

enum language {
    LANGUAGE_OPENCL_C, /* the subset that the preludes map to every device */
    LANGUAGE_CUDA_C,   /* CUDA only */
    LANGUAGE_GLSL,     /* OpenGL only */
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
    ARGUMENT_TILES, /* a __grid_constant__ parameter of 128 bytes, aligned to 64 */
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
        const struct tile_map *tiles;
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
    /* Comes right after another launch of the run. Where the kernel begins with wait_for_launch_before() (the OpenCL
     * prelude), it may be set up while that one ends. */
    bool follows;
    bool is_fallback; /* returns at once unless the data need it: what explains a rung cannot see that */
};

/* ---- the table a backend fills ---------------------------------------------------------------------------- */

struct backend {
    const char *name; /* "cpu", "opencl", "cuda", "opengl", "null" */
    enum backend_kind kind;

    /* Counts devices. STATUS_UNAVAILABLE with why, and what to install, when there are none. May be called
     * any number of times. */
    enum status (*probe)(int *count, struct error *error);

    /* The backend's installed drivers that give no device, and why; "" where there are none. With `faults_only`
     * drivers that merely have no device are left out. NULL for a backend with one driver: probe reports on it. */
    void (*describe_missing)(bool faults_only, char *text, size_t size);

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

    /* ---- what a device of its own has besides; NULL where it is not so ---- */

    /* Host memory that the device fetches itself, aligned to BUFFER_ALIGNMENT; `bytes` is not 0. */
    enum status (*pin)(struct device *device, size_t bytes, struct host_memory *memory, struct error *error);
    void (*unpin)(struct host_memory *memory);
    /* Locks memory that is there already, whole pages of it. */
    enum status (*lock)(struct device *device, void *data, size_t bytes, struct error *error);
    void (*unlock)(struct device *device, void *data);
    /* A buffer that host and device share: memory_kind_is_shared(kind). */
    enum status (*share)(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                         struct error *error);
    /* The host's turn with a shared buffer: waits, and sets buffer->host; and the device's: clears it. */
    enum status (*map)(struct buffer *buffer, struct error *error);
    enum status (*unmap)(struct buffer *buffer, struct error *error);

    /* Queues beside the device's own: what is enqueued in one does not wait for what is in another. */
    enum status (*queue_create)(struct device *device, struct queue **queue, struct error *error);
    /* One whose launches go before others' where both wait for the device; NULL: all queues are equal. */
    enum status (*queue_create_urgent)(struct device *device, struct queue **queue, struct error *error);
    void (*queue_destroy)(struct queue *queue);
    /* NULL: the device's own. Work that was enqueued before continues. */
    enum status (*queue_select)(struct device *device, struct queue *queue, struct error *error);
    /* Work enqueued from now on waits for the mark, which another queue records. */
    enum status (*queue_wait)(struct event *mark, struct error *error);
    /* Whether launches are recorded, to be replayed later, and not run now. NULL: never. */
    bool (*is_recording)(const struct device *device);
    /* Enqueued, in order; host memory must stay as it is until then. */
    enum status (*send)(const struct buffer *buffer, const struct transfer *transfer, struct error *error);
    enum status (*receive)(const struct buffer *buffer, const struct transfer *transfer, struct error *error);

    /* Between two devices of this backend (backends/peer.h); NULL where they have nothing in common. */
    enum status (*peer_enable)(struct device *device, struct device *peer, struct error *error);
    enum status (*peer_copy)(struct device *by, const struct peer_copy *copy, struct error *error);
    enum status (*peer_wait)(struct device *device, struct event *mark, struct error *error);
    bool (*peer_link)(const struct device *device, const struct device *peer, struct peer_link *link);

    /* NULL for a backend without textures. */
    enum status (*texture_create)(struct device *device, size_t width, size_t height, struct texture **texture,
                                  struct error *error);
    void (*texture_destroy)(struct texture *texture);
    enum status (*texture_load)(struct texture *texture, const struct buffer *pixels, struct error *error);

    /* Compiles; the compiler's log is in the message on failure (STATUS_INVALID). */
    enum status (*build)(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error);
    void (*discard)(struct program *program);
    /* Whether a discarded program may serve the next user (program_discard). False for CUDA: the variables of a module
     * get their initial values at each build. */
    bool keeps_programs;
    /* What tile_map_make has checked; NULL: no device of it has such a copy engine. */
    enum status (*tile_map)(const struct buffer *buffer, const struct tile_map_shape *shape, struct tile_map *map,
                            struct error *error);
    enum status (*launch)(struct program *program, const struct launch *launch, struct error *error);

    /* Marks in the device's queue: record enqueues one, elapsed waits for both and subtracts. */
    enum status (*event_create)(struct device *device, struct event **mark, struct error *error);
    /* One for queue_wait alone; NULL: such marks are not cheaper than those with timestamps. */
    enum status (*event_create_untimed)(struct device *device, struct event **mark, struct error *error);
    void (*event_destroy)(struct event *mark);
    enum status (*event_record)(struct event *mark, struct error *error);
    enum status (*event_elapsed)(struct event *from, struct event *to, double *nanoseconds, struct error *error);

    /* Waits until everything in the selected queue is done; reports errors that came late. */
    enum status (*synchronize)(struct device *device, struct error *error);

    /* The device's sensors (backends/sensors.h); NULL: it has none of its own. */
    struct sensors (*sense)(const struct device *device, bool counts);

    /* What device_profile does; NULL: no profiler looks at ranges of this backend's devices. */
    enum status (*profile)(struct device *device, const char *name, struct error *error);
};

/* Every backend's device begins with this. */
struct device {
    const struct backend *backend;
    int index;
    char id[32]; /* "cuda:0"; "cpu" and "null" have no number */
    struct device_properties properties;
    /* For vendor libraries: CUstream or cl_command_queue of the selected queue; NULL elsewhere. */
    void *native_queue;
    struct program *programs; /* loaded on this device, also those without a user, the last used first */
};

struct queue {
    struct device *device;
};

struct program {
    struct device *device;
    struct program *next; /* these three are program_build's own */
    char *made_from;
    size_t users;
};

struct event {
    struct device *device;
    int64_t recorded; /* when event_record was last called, by base/clock.h; a CPU's: 0 */
};

/* All backends, in the order they are shown: cpu, opencl, cuda, opengl, null; NULL-terminated. */
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

static inline bool device_is_recording(const struct device *device)
{
    return device->backend->is_recording && device->backend->is_recording(device);
}

/* Host and device have it in turns; nothing is copied from one array to another. */
static inline bool memory_kind_is_shared(enum memory_kind kind)
{
    return kind == MEMORY_MANAGED || kind == MEMORY_PREFETCHED || kind == MEMORY_MAPPED;
}

/* "pageable", "pinned", "registered", "managed", "prefetched", "mapped". */
const char *memory_kind_name(enum memory_kind kind);
/* STATUS_INVALID, with the closest match, for another word. */
enum status memory_kind_parse(const char *name, enum memory_kind *kind, struct error *error);

/* Pinned host memory of at least 1 byte, aligned to BUFFER_ALIGNMENT; `kind` is MEMORY_PINNED or MEMORY_REGISTERED.
 * Pinning takes memory away from everybody else, so it is given back soon. STATUS_UNAVAILABLE where the device fetches
 * nothing from host memory by itself, or the system pins no more. */
enum status host_memory_pin(struct device *device, enum memory_kind kind, size_t bytes, struct host_memory *memory,
                            struct error *error);
void host_memory_unpin(struct host_memory *memory); /* zeroed memory is fine */

/* A buffer that host and device share, used as any other and released with buffer_release. It begins as the device's;
 * buffer_map makes it the host's (it waits for the selected queue, then buffer->host is where it lies), buffer_unmap
 * the device's again. One side at a time: in its turn the host alone touches it. A view is mapped by itself.
 * STATUS_UNAVAILABLE, with the reason, where the device shares no memory of this kind. */
enum status buffer_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                         struct error *error);
enum status buffer_map(struct buffer *buffer, struct error *error);
enum status buffer_unmap(struct buffer *buffer, struct error *error); /* of one that is not mapped: nothing */

/* More queues for work that shall overlap: copies either way, launches, marks. Everything goes to the selected queue,
 * which is the device's own until another is chosen; device_synchronize waits for the selected one. STATUS_UNAVAILABLE
 * where there is one queue only. A queue is empty (synchronized) when it is destroyed, and then the device's own is
 * selected if it was this one. */
enum status queue_create(struct device *device, struct queue **queue, struct error *error);
/* Groups of its launches are started before those of other queues that wait, too; where all queues are equal, one more
 * of them. */
enum status queue_create_urgent(struct device *device, struct queue **queue, struct error *error);
void queue_destroy(struct queue *queue);                                                   /* NULL is fine */
enum status queue_select(struct device *device, struct queue *queue, struct error *error); /* NULL: its own */
/* Work enqueued from now on begins after the mark, which was recorded in another queue of the same device. */
enum status queue_wait(struct event *mark, struct error *error);
/* Enqueue a copy to (from) the device and return; ranges are checked first (STATUS_INVALID). Only pinned host memory
 * makes it truly asynchronous: with pageable memory the call may last as long as the copy. */
enum status buffer_send(const struct buffer *buffer, const struct transfer *transfer, struct error *error);
enum status buffer_receive(const struct buffer *buffer, const struct transfer *transfer, struct error *error);

/* A texture of width × height pixels (both at least 1) without content. STATUS_UNAVAILABLE where the device has no
 * textures, or none so large. */
enum status texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                           struct error *error);
void texture_destroy(struct texture *texture); /* NULL is fine */
/* Enqueued: makes the texture show the buffer's first width * height pixels of 4 bytes, rows without gaps. Where the
 * device can read the buffer as it lies nothing is moved, and the buffer must stay as it is while it is read; elsewhere
 * the pixels are copied. */
enum status texture_load(struct texture *texture, const struct buffer *pixels, struct error *error);

/* A second build with this device, name, text and macros returns the same program: while the first has users, and on a
 * backend that keeps programs also when they have gone. */
enum status program_build(struct device *device, const struct program_source *source, struct program **program,
                          struct error *error);
/* Ends one use; NULL is fine. A backend that keeps programs keeps this one for a next build, and releases the one that
 * was used longest ago when they are many. */
void program_discard(struct program *program);
/* For a backend's close: releases those that are kept. */
void program_release_idle(struct device *device);
/* STATUS_UNAVAILABLE: the device has no such copy engine; STATUS_INVALID: an address or a stride is no multiple of 16,
 * or the matrix is not within the buffer. */
enum status tile_map_make(const struct buffer *buffer, const struct tile_map_shape *shape, struct tile_map *map,
                          struct error *error);

/* Checks the launch's shape (STATUS_INVALID), and group and grid against the device's limits (STATUS_UNAVAILABLE: this
 * device cannot); the message names the limit. */
enum status launch_check(const struct device *device, const struct launch *launch, struct error *error);
/* Checks the launch and its arguments, then launches. */
enum status program_launch(struct program *program, const struct launch *launch, struct error *error);

enum status event_create(struct device *device, struct event **mark, struct error *error);
/* A mark that other queues wait for, and that event_elapsed may refuse: it costs the device less. */
enum status event_create_untimed(struct device *device, struct event **mark, struct error *error);
void event_destroy(struct event *mark); /* NULL is fine */
enum status event_record(struct event *mark, struct error *error);
/* The nanoseconds between two marks, at least 0. STATUS_SYSTEM where the driver gives a time that is no number,
 * runs back, or is longer than it took on the host's clock. */
enum status event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error);
enum status device_synchronize(struct device *device, struct error *error);

/* Begins the range that a profiler looks at, under this name; NULL: ends it. STATUS_UNAVAILABLE where the backend or
 * its driver has none. */
enum status device_profile(struct device *device, const char *name, struct error *error);

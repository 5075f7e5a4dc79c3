/* Shared by the files of the OpenCL backend. */
#pragma once

#include "backends/backend.h"
#include "backends/opencl/library.h"

/* Where a device is: platforms and their devices are counted through, in the order the loader names them. */
struct opencl_place {
    cl_platform_id platform;
    cl_device_id device;
};

/* Finds all devices; the caller frees *places. STATUS_UNAVAILABLE: no library, no platform or no device, as the message
 * says. */
enum status opencl_find_devices(struct opencl_place **places, int *count, struct error *error);

/* Names what is registered with OpenCL and gives no device, with the reason: "the platform X does not list its devices:
 * CL_OUT_OF_RESOURCES". "" where nothing is missing. With `faults_only` a driver that merely has no device is passed
 * over. */
void opencl_describe_missing(bool faults_only, char *text, size_t size);

/* Fills a device's properties. A property that the device does not report stays 0. */
void opencl_describe(const struct opencl_place *place, struct device_properties *properties);

/* 90 is compute capability 9.0; 0 where the device is not NVIDIA's. */
int opencl_nvidia_compute(cl_device_id device);

/* ---- one device ---- */

struct opencl_device {
    struct device base;
    cl_device_id id;
    cl_context context;
    cl_command_queue own;    /* its own queue: in order, keeps times */
    cl_command_queue queue;  /* the selected one */
    struct program *copying; /* our own copy, from its first use on */
    bool is_adopted;         /* queue and context are the caller's (backends/adopt.h) */
};

static inline cl_mem opencl_memory_of(const struct buffer *buffer)
{
    return (cl_mem)buffer->native;
}

static inline struct opencl_device *opencl_device_of(const struct buffer *buffer)
{
    return (struct opencl_device *)buffer->device;
}

/* OpenCL makes no window of a window, and few runtimes see that two windows overlap. Puts the buffer that *memory is a
 * window of in its place, and adds where the window begins to *offset; changes nothing when it is not a window. */
cl_int opencl_find_whole(cl_mem *memory, size_t *offset);

/* ---- the table's functions; what they promise stands in backends/backend.h ---- */

enum status opencl_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status opencl_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error);
void opencl_release(struct buffer *buffer);
enum status opencl_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error);
enum status opencl_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error);
enum status opencl_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error);
enum status opencl_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error);

enum status opencl_pin(struct device *device, size_t bytes, struct host_memory *memory, struct error *error);
void opencl_unpin(struct host_memory *memory);
enum status opencl_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                         struct error *error);
void opencl_release_shared(struct buffer *buffer);
enum status opencl_map(struct buffer *buffer, struct error *error);
enum status opencl_unmap(struct buffer *buffer, struct error *error);

enum status opencl_queue_create(struct device *device, struct queue **queue, struct error *error);
void opencl_queue_destroy(struct queue *queue);
enum status opencl_queue_select(struct device *device, struct queue *queue, struct error *error);
enum status opencl_queue_wait(struct event *mark, struct error *error);
enum status opencl_send(const struct buffer *buffer, const struct transfer *transfer, struct error *error);
enum status opencl_receive(const struct buffer *buffer, const struct transfer *transfer, struct error *error);

enum status opencl_texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                                  struct error *error);
void opencl_texture_destroy(struct texture *texture);
enum status opencl_texture_load(struct texture *texture, const struct buffer *pixels, struct error *error);

enum status opencl_build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error);
void opencl_discard(struct program *program);
/* What CL_PROGRAM_BINARIES gives for the device; the caller frees *binary. */
enum status opencl_program_binary(struct program *program, void **binary, size_t *bytes, struct error *error);
enum status opencl_launch(struct program *program, const struct launch *launch, struct error *error);

enum status opencl_event_create(struct device *device, struct event **mark, struct error *error);
void opencl_event_destroy(struct event *mark);
enum status opencl_event_record(struct event *mark, struct error *error);
enum status opencl_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error);

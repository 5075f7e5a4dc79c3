/* A CUDA device, for the files of this backend. */
#pragma once

#include "backends/backend.h"
#include "backends/cuda/driver.h"

struct cuda_device {
    struct device base;
    CUdevice handle;
    CUcontext context; /* the primary one, which the vendor's libraries use too */
    CUstream own;      /* its own stream */
    CUstream stream;   /* the selected one; base.native_queue */
    int major, minor;  /* compute capability */
    bool is_adopted;   /* stream and context are the caller's (backends/adopt.h) */
};

static inline struct cuda_device *cuda_device_of(const struct device *device)
{
    return (struct cuda_device *)(uintptr_t)device;
}

/* As cuda_check, with the device's name first. */
enum status cuda_device_check(const struct device *device, CUresult result, struct error *error, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));

/* Makes the device's context the calling thread's; every function of the backend begins with it, as the thread may have
 * used another device in between. */
enum status cuda_use(const struct device *device, struct error *error);

/* 0 where this driver does not know the attribute. */
int cuda_attribute(const struct cuda_device *device, CUdevice_attribute which);

/* Fills properties from an open driver. */
enum status cuda_read_properties(struct cuda_device *device, struct error *error);

/* ---- the backend's table, by file ---- */

enum status cuda_probe(int *count, struct error *error);
enum status cuda_open(int index, struct device **device, struct error *error);
void cuda_close(struct device *device);
enum status cuda_profile(struct device *device, const char *name, struct error *error);
enum status cuda_synchronize(struct device *device, struct error *error);

enum status cuda_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status cuda_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                      struct error *error);
void cuda_release(struct buffer *buffer);
enum status cuda_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes, struct error *error);
enum status cuda_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error);
enum status cuda_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                      size_t source_offset, size_t bytes, struct error *error);
enum status cuda_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                      struct error *error);

enum status cuda_pin(struct device *device, size_t bytes, struct host_memory *memory, struct error *error);
void cuda_unpin(struct host_memory *memory);
enum status cuda_lock(struct device *device, void *data, size_t bytes, struct error *error);
void cuda_unlock(struct device *device, void *data);
enum status cuda_share(struct device *device, enum memory_kind kind, size_t bytes, struct buffer *buffer,
                       struct error *error);
void cuda_release_shared(struct buffer *buffer);
enum status cuda_map(struct buffer *buffer, struct error *error);
enum status cuda_unmap(struct buffer *buffer, struct error *error);

enum status cuda_queue_create(struct device *device, struct queue **queue, struct error *error);
enum status cuda_queue_create_urgent(struct device *device, struct queue **queue, struct error *error);
void cuda_queue_destroy(struct queue *queue);
enum status cuda_queue_select(struct device *device, struct queue *queue, struct error *error);
enum status cuda_queue_wait(struct event *mark, struct error *error);
bool cuda_is_recording(const struct device *device);
enum status cuda_send(const struct buffer *buffer, const struct transfer *transfer, struct error *error);
enum status cuda_receive(const struct buffer *buffer, const struct transfer *transfer, struct error *error);

enum status cuda_peer_enable(struct device *device, struct device *peer, struct error *error);
enum status cuda_peer_copy(struct device *by, const struct peer_copy *copy, struct error *error);
enum status cuda_peer_wait(struct device *device, struct event *mark, struct error *error);
struct sensors cuda_sense(const struct device *device, bool counts);
bool cuda_peer_link(const struct device *device, const struct device *peer, struct peer_link *link);

enum status cuda_texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                                struct error *error);
void cuda_texture_destroy(struct texture *texture);
enum status cuda_tile_map(const struct buffer *buffer, const struct tile_map_shape *shape, struct tile_map *map,
                          struct error *error);
enum status cuda_texture_load(struct texture *texture, const struct buffer *pixels, struct error *error);

enum status cuda_build(struct device *device, const struct program_source *source, struct program **program,
                       struct error *error);
void cuda_discard(struct program *program);
enum status cuda_launch(struct program *program, const struct launch *launch, struct error *error);

enum status cuda_event_create(struct device *device, struct event **mark, struct error *error);
enum status cuda_event_create_untimed(struct device *device, struct event **mark, struct error *error);
void cuda_event_destroy(struct event *mark);
enum status cuda_event_record(struct event *mark, struct error *error);
enum status cuda_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error);

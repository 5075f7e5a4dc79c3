/* Shared by the files of the OpenGL backend.
 *
 * OpenGL keeps its state in a context, and a context belongs to one thread. A device is used by the thread that opened
 * it; another thread is refused. Every function of the table makes the device's context the current one first. */
#pragma once

#include "backends/backend.h"
#include "backends/opengl/library.h"

/* ---- places: where a context can be made ---- */

struct opengl_place {
    EGLenum platform;
    void *native; /* EGLDeviceEXT; NULL for Mesa's surfaceless platform */
    bool is_usable;
};

/* Finds every EGL device, those that give an OpenGL 4.3 context first; Mesa's surfaceless platform when none of them
 * does. The list belongs to the backend and lives as long as the program. STATUS_UNAVAILABLE: no library or no
 * device, as the message says. */
enum status opengl_find_places(const struct opengl_place **places, int *count, struct error *error);

/* A context of OpenGL 4.3 or newer, current in this thread. STATUS_UNAVAILABLE says which step the driver refused. */
struct opengl_context {
    EGLDisplay display;
    EGLContext context;
};
enum status opengl_context_create(const struct opengl_place *place, struct opengl_context *context,
                                  struct error *error);
void opengl_context_destroy(struct opengl_context *context);

/* ---- one device ---- */

struct opengl_device {
    struct device base;
    struct opengl_context context;
    uint64_t block_bytes; /* the most of one buffer that a shader sees */
    int storage_blocks;   /* the most buffers that a shader sees */
};

/* Fills the device's properties and the limits above. The device's context must be current. */
void opengl_describe(struct opengl_device *device);

/* Whether a kernel there flushes subnormal floats to zero. OpenGL allows it and has no query, so a kernel tests it. */
enum status opengl_flushes_subnormals(struct device *device, bool *flushes, struct error *error);

/* Makes the device's context the current one of this thread. */
enum status opengl_enter(struct device *device, struct error *error);

/* STATUS_OK when OpenGL has met no error since the last time; else the error in words: "opengl:0: writing a buffer:
 * GL_OUT_OF_MEMORY", with the status that fits. */
enum status opengl_check(const struct device *device, const char *doing, struct error *error);

/* The target of a buffer's `native`; each view of a buffer has its own. */
struct opengl_memory {
    GLuint name;
    size_t offset; /* where a view begins */
};

static inline struct opengl_memory *opengl_memory_of(const struct buffer *buffer)
{
    return (struct opengl_memory *)buffer->native;
}

/* ---- the table's functions; what they promise stands in backends/backend.h ---- */

enum status opengl_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error);
enum status opengl_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error);
void opengl_release(struct buffer *buffer);
enum status opengl_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error);
enum status opengl_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error);
enum status opengl_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error);
enum status opengl_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error);

enum status opengl_build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error);
void opengl_discard(struct program *program);
enum status opengl_launch(struct program *program, const struct launch *launch, struct error *error);

enum status opengl_event_create(struct device *device, struct event **event, struct error *error);
void opengl_event_destroy(struct event *event);
enum status opengl_event_record(struct event *event, struct error *error);
enum status opengl_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error);

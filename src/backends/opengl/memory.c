/* OpenGL's buffers: a shader sees them as storage blocks. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/opengl/opengl.h"
#include "base/text.h"

static enum status fail_large(const struct opengl_device *device, size_t bytes, struct error *error)
{
    char wanted[32], most[32];
    return fail(error, STATUS_UNAVAILABLE,
                "%s: no buffer of %s: a shader sees at most %s of one there (GL_MAX_SHADER_STORAGE_BLOCK_SIZE)",
                device->base.id, text_bytes((double)bytes, wanted, sizeof wanted),
                text_bytes((double)device->block_bytes, most, sizeof most));
}

/* OpenGL gives memory when it is first used; a byte is written so that "the memory is full" comes now. */
static enum status settle(struct device *device, struct opengl_memory *memory, size_t bytes, struct error *error)
{
    char doing[64], size[32];
    gl.GenBuffers(1, &memory->name);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, memory->name);
    gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(bytes ? bytes : 1), NULL, GL_DYNAMIC_COPY);
    gl.BufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)(bytes ? bytes - 1 : 0), 1, "");
    gl.Finish();
    snprintf(doing, sizeof doing, "allocating %s", text_bytes((double)bytes, size, sizeof size));
    enum status status = opengl_check(device, doing, error);
    if (status != STATUS_OK)
        gl.DeleteBuffers(1, &memory->name);
    return status;
}

enum status opengl_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    const struct opengl_device *opengl = (struct opengl_device *)device;
    if (bytes > opengl->block_bytes)
        return fail_large(opengl, bytes, error);
    enum status status = opengl_enter(device, error);
    struct opengl_memory *memory = status == STATUS_OK ? calloc(1, sizeof *memory) : NULL;
    if (status == STATUS_OK && !memory)
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for a buffer", device->id);
    if (status == STATUS_OK)
        status = settle(device, memory, bytes, error);
    if (status != STATUS_OK) {
        free(memory);
        return status;
    }
    *buffer = (struct buffer){.device = device, .bytes = bytes, .native = (uintptr_t)memory};
    return STATUS_OK;
}

enum status opengl_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error)
{
    const struct opengl_memory *whole = opengl_memory_of(parent);
    struct opengl_memory *memory = malloc(sizeof *memory);
    if (!memory)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a buffer", parent->device->id);
    *memory = (struct opengl_memory){whole->name, whole->offset + offset};
    *buffer = (struct buffer){.device = parent->device, .bytes = bytes, .native = (uintptr_t)memory, .is_view = true};
    return STATUS_OK;
}

void opengl_release(struct buffer *buffer)
{
    struct opengl_memory *memory = opengl_memory_of(buffer);
    if (!buffer->is_view && opengl_enter(buffer->device, NULL) == STATUS_OK)
        gl.DeleteBuffers(1, &memory->name);
    free(memory);
}

enum status opengl_write(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                         struct error *error)
{
    const struct opengl_memory *memory = opengl_memory_of(buffer);
    enum status status = opengl_enter(buffer->device, error);
    if (status != STATUS_OK)
        return status;
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, memory->name);
    gl.BufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)(memory->offset + offset), (GLsizeiptr)bytes, host);
    gl.Finish();
    return opengl_check(buffer->device, "writing a buffer", error);
}

enum status opengl_read(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error)
{
    const struct opengl_memory *memory = opengl_memory_of(buffer);
    enum status status = opengl_enter(buffer->device, error);
    if (status != STATUS_OK)
        return status;
    gl.BindBuffer(GL_COPY_READ_BUFFER, memory->name);
    gl.GetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)(memory->offset + offset), (GLsizeiptr)bytes, host);
    return opengl_check(buffer->device, "reading a buffer", error);
}

enum status opengl_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error)
{
    const struct opengl_memory *to = opengl_memory_of(target), *from = opengl_memory_of(source);
    const size_t to_offset = to->offset + target_offset, from_offset = from->offset + source_offset;
    if (to->name == from->name && to_offset < from_offset + bytes && from_offset < to_offset + bytes)
        return fail(error, STATUS_INVALID, "copy: source and target overlap");
    enum status status = opengl_enter(target->device, error);
    if (status != STATUS_OK)
        return status;
    gl.BindBuffer(GL_COPY_READ_BUFFER, from->name);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, to->name);
    gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from_offset, (GLintptr)to_offset,
                         (GLsizeiptr)bytes);
    return opengl_check(target->device, "copying a buffer", error);
}

/* Words where they fit: drivers store one at a time. */
enum status opengl_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                        struct error *error)
{
    const struct opengl_memory *memory = opengl_memory_of(buffer);
    const uint32_t word = value * 0x01010101u;
    const bool is_wide = offset % sizeof word == 0 && bytes % sizeof word == 0;
    enum status status = opengl_enter(buffer->device, error);
    if (status != STATUS_OK)
        return status;
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, memory->name);
    gl.ClearBufferSubData(GL_COPY_WRITE_BUFFER, is_wide ? GL_R32UI : GL_R8UI, (GLintptr)(memory->offset + offset),
                          (GLsizeiptr)bytes, GL_RED_INTEGER, is_wide ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE, &word);
    return opengl_check(buffer->device, "filling a buffer", error);
}

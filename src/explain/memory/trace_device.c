#include "explain/memory/trace_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/host.h"

static void trace_close(struct device *device)
{
    trace_device_close((struct trace_device *)device);
}

static bool is_counting(const struct buffer *buffer)
{
    return ((struct trace_device *)buffer->device)->mode == TRACE_COUNT;
}

static enum status trace_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                              size_t source_offset, size_t bytes, struct error *error)
{
    (void)error;
    if (!is_counting(target))
        memcpy((char *)target->native + target_offset, (const char *)source->native + source_offset, bytes);
    return STATUS_OK;
}

static enum status trace_fill(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                              struct error *error)
{
    (void)error;
    if (!is_counting(buffer))
        memset((char *)buffer->native + offset, value, bytes);
    return STATUS_OK;
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

static enum status trace_build(struct device *device, const struct program_source *source, struct program **program,
                               struct error *error)
{
    struct trace_device *trace = (struct trace_device *)device;
    struct traced_program *made;
    enum status status = traced_program_build(source, &made, error);
    if (status != STATUS_OK)
        return status;
    made->base.device = device;
    made->next = trace->programs;
    trace->programs = made;
    *program = &made->base;
    return STATUS_OK;
}

/* The tally's rows point to the program, so it lives as long as the device. */
static void trace_discard(struct program *program)
{
    (void)program;
}

/* ---- textures, read by the prelude's texture_linear ------------------------------------------------------------- */

struct trace_texture {
    struct texture base;
    struct {
        unsigned long width, height;
        const unsigned char *pixels;
    } image;
};

static enum status trace_texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                                        struct error *error)
{
    struct trace_texture *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a texture", device->id);
    made->base =
        (struct texture){.device = device, .width = width, .height = height, .native = (uintptr_t)&made->image};
    made->image.width = width;
    made->image.height = height;
    *texture = &made->base;
    return STATUS_OK;
}

static void trace_texture_destroy(struct texture *texture)
{
    free(texture);
}

static enum status trace_texture_load(struct texture *texture, const struct buffer *pixels, struct error *error)
{
    (void)error;
    ((struct trace_texture *)texture)->image.pixels = (const unsigned char *)pixels->native;
    return STATUS_OK;
}

/* ---- the device ------------------------------------------------------------------------------------------------- */

/* The kind is CUDA, as rungs may require a compute capability. */
static const struct backend backend_trace = {
    .name = "trace",
    .kind = BACKEND_CUDA,
    .close = trace_close,
    .allocate = trace_allocate,
    .view = trace_view,
    .release = trace_release,
    .write = host_write,
    .read = host_read,
    .copy = trace_copy,
    .fill = trace_fill,
    .texture_create = trace_texture_create,
    .texture_destroy = trace_texture_destroy,
    .texture_load = trace_texture_load,
    .build = trace_build,
    .discard = trace_discard,
    .launch = trace_launch,
    .event_create = host_event_create,
    .event_destroy = host_event_destroy,
    .event_record = host_event_record,
    .event_elapsed = host_event_elapsed,
    .synchronize = host_synchronize,
};

enum status trace_device_open(const struct trace_setting *setting, struct tally *tally, struct races *races,
                              struct trace_device **device, struct error *error)
{
    struct trace_device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    struct device_properties *properties = &made->base.properties;
    made->base.backend = &backend_trace;
    snprintf(made->base.id, sizeof made->base.id, "trace");
    snprintf(properties->name, sizeof properties->name, "trace");
    snprintf(properties->version, sizeof properties->version, "%s", setting->capability);
    properties->local_bytes_per_group = properties->local_bytes_per_group_limit = setting->local_bytes_per_group;
    properties->local_bytes_per_unit = setting->local_bytes_per_group;
    properties->constant_bytes = 64 << 10;
    properties->warp_items = WARP_LANES;
    properties->group_items = setting->group_items;
    for (int i = 0; i < 3; i++)
        properties->group_size[i] = setting->group_items;
    properties->units = 1;
    properties->has_double = properties->has_images = true;
    made->order = setting->order;
    made->budget = setting->budget;
    made->tally = tally;
    made->races = races;
    made->totals.saw_all_data = true;
    *device = made;
    return STATUS_OK;
}

void trace_device_close(struct trace_device *device)
{
    if (!device)
        return;
    silent_crew_end(device->crew);
    group_runner_free(&device->stacks);
    while (device->programs) {
        struct traced_program *program = device->programs;
        device->programs = program->next;
        traced_program_free(program);
    }
    trace_arena_free(&device->arena);
    free(device);
}

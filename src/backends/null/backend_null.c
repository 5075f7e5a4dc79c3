/* The device that does nothing. A run's time here is the harness overhead, and a check that passes here is defective.
 * Memory is real, so poison can be written and read. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"
#include "backends/cpu/host.h"

static enum status null_probe(int *count, struct error *error)
{
    (void)error;
    *count = 1;
    return STATUS_OK;
}

/* Large limits, so that no rung is refused. */
static const struct device_properties properties = {
    .name = "null: does nothing",
    .vendor = "uskor",
    .local_bytes_per_group = 48 << 10,
    .local_bytes_per_group_limit = 1 << 20,
    .local_bytes_per_unit = 1 << 20,
    .constant_bytes = 64 << 10,
    .warp_items = 32,
    .group_items = 1024,
    .group_size = {1024, 1024, 1024},
    .units = 1,
    .has_double = true,
    .has_images = true,
};

static enum status null_open(int index, struct device **device, struct error *error)
{
    struct device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "null: no memory for a device");
    made->backend = &backend_null;
    made->index = index;
    snprintf(made->id, sizeof made->id, "null");
    made->properties = properties;
    *device = made;
    return STATUS_OK;
}

static void null_close(struct device *device)
{
    free(device);
}

static enum status null_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                             size_t source_offset, size_t bytes, struct error *error)
{
    (void)target, (void)target_offset, (void)source, (void)source_offset, (void)bytes, (void)error;
    return STATUS_OK;
}

static enum status null_build(struct device *device, const struct program_source *source, struct program **program,
                              struct error *error)
{
    struct program *made = malloc(sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "null: no memory for %s", source->name);
    made->device = device;
    *program = made;
    return STATUS_OK;
}

static void null_discard(struct program *program)
{
    free(program);
}

static enum status null_launch(struct program *program, const struct launch *launch, struct error *error)
{
    (void)program, (void)launch, (void)error;
    return STATUS_OK;
}

const struct backend backend_null = {
    .name = "null",
    .kind = BACKEND_NULL,
    .probe = null_probe,
    .open = null_open,
    .close = null_close,
    .allocate = host_allocate,
    .view = host_view,
    .release = host_release,
    .write = host_write,
    .read = host_read,
    .copy = null_copy,
    .fill = host_fill,
    .build = null_build,
    .discard = null_discard,
    .launch = null_launch,
    .event_create = host_event_create,
    .event_destroy = host_event_destroy,
    .event_record = host_event_record,
    .event_elapsed = host_event_elapsed,
    .synchronize = host_synchronize,
};

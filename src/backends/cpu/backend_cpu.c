/* The host as a device: its rungs are C functions, its queue is the program itself. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/host.h"
#include "backends/cpu/machine.h"

static enum status cpu_probe(int *count, struct error *error)
{
    (void)error;
    *count = 1;
    return STATUS_OK;
}

static enum status make_device(void (*describe)(struct device_properties *), struct device **device,
                               struct error *error)
{
    struct device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "cpu: no memory for a device");
    made->backend = &backend_cpu;
    snprintf(made->id, sizeof made->id, "cpu");
    describe(&made->properties);
    *device = made;
    return STATUS_OK;
}

static enum status cpu_open(int index, struct device **device, struct error *error)
{
    (void)index;
    return make_device(machine_describe, device, error);
}

enum status cpu_open_bare(struct device **device, struct error *error)
{
    return make_device(machine_describe_bare, device, error);
}

static void cpu_close(struct device *device)
{
    free(device);
}

void cpu_wrap(struct device *device, void *memory, size_t bytes, struct buffer *buffer)
{
    *buffer =
        (struct buffer){.device = device, .bytes = bytes, .host = memory, .native = (uintptr_t)memory, .is_view = true};
}

static enum status cpu_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                            size_t source_offset, size_t bytes, struct error *error)
{
    (void)error;
    cpu_stream_copy((char *)target->host + target_offset, (const char *)source->host + source_offset, bytes);
    return STATUS_OK;
}

static enum status cpu_build(struct device *device, const struct program_source *source, struct program **program,
                             struct error *error)
{
    (void)device;
    (void)program;
    return fail(error, STATUS_UNAVAILABLE,
                "%s: the cpu device runs C functions only; device programs run on opencl (PoCL makes a device of "
                "this processor) or cuda",
                source->name);
}

/* Never called: nothing can be built. */
static void cpu_discard(struct program *program)
{
    (void)program;
}

static enum status cpu_launch(struct program *program, const struct launch *launch, struct error *error)
{
    (void)program;
    return fail(error, STATUS_UNAVAILABLE, "%s: the cpu device launches no programs", launch->entry);
}

const struct backend backend_cpu = {
    .name = "cpu",
    .kind = BACKEND_CPU,
    .probe = cpu_probe,
    .open = cpu_open,
    .close = cpu_close,
    .allocate = host_allocate,
    .view = host_view,
    .release = host_release,
    .write = host_write,
    .read = host_read,
    .copy = cpu_copy,
    .fill = host_fill,
    .build = cpu_build,
    .discard = cpu_discard,
    .launch = cpu_launch,
    .event_create = host_event_create,
    .event_destroy = host_event_destroy,
    .event_record = host_event_record,
    .event_elapsed = host_event_elapsed,
    .synchronize = host_synchronize,
};

/* Device to device: the rate that rungs are held against, so it must be the best the device can do.
 *
 * clEnqueueCopyBuffer is not: PoCL copies with one thread (half the rate of the kernel in copy.cl on two cores), and
 * NVIDIA's is 2.5 % behind it (4130 and 4240 GB/s on an H200, both directions counted). So large copies go through the
 * kernel. */
#include "backends/opencl/opencl.h"
#include "base/embedded.h"

#define KERNEL_FILE "backends/opencl/copy.cl"
#define WORD ((size_t)16) /* what an item of the kernel copies */
#define GROUP ((size_t)256)
#define LARGE ((size_t)1 << 20) /* below, a launch's cost outweighs the rate */

/* A range in the whole buffers, whatever views it was named through. */
struct range {
    cl_mem memory;
    size_t offset;
};

static cl_int find_range(const struct buffer *buffer, size_t offset, struct range *range)
{
    *range = (struct range){opencl_memory_of(buffer), offset};
    return buffer->is_view ? opencl_find_whole(&range->memory, &range->offset) : CL_SUCCESS;
}

static bool overlap(const struct range *a, const struct range *b, size_t bytes)
{
    return a->memory == b->memory && a->offset < b->offset + bytes && b->offset < a->offset + bytes;
}

static enum status build_kernel(struct opencl_device *device, struct error *error)
{
    if (device->copying)
        return STATUS_OK;
    const struct embedded_file *file = embedded_find(KERNEL_FILE);
    const struct program_source source = {.name = KERNEL_FILE, .text = file->text, .language = LANGUAGE_OPENCL_C};
    return program_build(&device->base, &source, &device->copying, error);
}

static enum status copy_by_kernel(const struct buffer *target, size_t target_offset, const struct buffer *source,
                                  size_t source_offset, size_t bytes, struct error *error)
{
    struct opencl_device *device = opencl_device_of(target);
    enum status status = build_kernel(device, error);
    if (status != STATUS_OK)
        return status;
    const size_t words = bytes / WORD;
    const struct argument_value arguments[] = {
        {.kind = ARGUMENT_BUFFER, .buffer = target},
        {.kind = ARGUMENT_BUFFER, .buffer = source},
        {.kind = ARGUMENT_LONG, .long_value = (int64_t)(target_offset / WORD)},
        {.kind = ARGUMENT_LONG, .long_value = (int64_t)(source_offset / WORD)},
        {.kind = ARGUMENT_LONG, .long_value = (int64_t)words},
    };
    const struct launch launch = {
        .entry = "copy",
        .rank = 1,
        .group = {GROUP, 1, 1},
        .groups = {(words + GROUP - 1) / GROUP, 1, 1},
        .arguments = arguments,
        .argument_count = sizeof arguments / sizeof arguments[0],
    };
    return program_launch(device->copying, &launch, error);
}

static enum status copy_by_runtime(const struct buffer *target, size_t target_offset, const struct buffer *source,
                                   size_t source_offset, size_t bytes, struct error *error)
{
    cl_int code = cl.EnqueueCopyBuffer(opencl_device_of(target)->queue, opencl_memory_of(source),
                                       opencl_memory_of(target), source_offset, target_offset, bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail(error, target->device->id, "copying a buffer", code);
}

enum status opencl_copy(const struct buffer *target, size_t target_offset, const struct buffer *source,
                        size_t source_offset, size_t bytes, struct error *error)
{
    struct range to, from;
    cl_int code = find_range(target, target_offset, &to);
    if (code == CL_SUCCESS)
        code = find_range(source, source_offset, &from);
    if (code == CL_SUCCESS && overlap(&to, &from, bytes))
        code = CL_MEM_COPY_OVERLAP;
    if (code != CL_SUCCESS)
        return opencl_fail(error, target->device->id, "copying a buffer", code);
    size_t whole = 0; /* bytes that the kernel copies */
    if (bytes >= LARGE && target_offset % WORD == 0 && source_offset % WORD == 0 &&
        target->device->properties.group_items >= GROUP)
        whole = bytes - bytes % WORD;
    enum status status = STATUS_OK;
    if (whole)
        status = copy_by_kernel(target, target_offset, source, source_offset, whole, error);
    if (status == STATUS_OK && whole < bytes)
        status = copy_by_runtime(target, target_offset + whole, source, source_offset + whole, bytes - whole, error);
    return status;
}

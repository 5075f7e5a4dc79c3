#include "distributed/dot/leaf_kernels.h"

#include <stdio.h>

#include "base/embedded.h"
#include "base/size.h"

enum status leaf_kernels_build(struct device *device, enum element_type type, struct program **program,
                               struct error *error)
{
    const struct element_info *element = element_info(type);
    char name[32], bytes[32];
    snprintf(name, sizeof name, "ELEMENT=%s", element->device_type);
    snprintf(bytes, sizeof bytes, "ELEMENT_BYTES=%zu", element->bytes);
    const char *defines[] = {name, bytes, "GROUP=256", "UNROLL=4",
                             type == ELEMENT_F16 ? "ELEMENT_HALF=16" : "ELEMENT_HALF=8"};
    const size_t count = COUNT_OF(defines) - !element_is_half(type); /* ELEMENT_HALF is last */
    const struct embedded_file *file = embedded_find("distributed/dot/leaves.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, count};
    return program_build(device, &source, program, error);
}

static enum status start(struct program *program, const char *entry, size_t groups,
                         const struct argument_value *arguments, size_t count, struct error *error)
{
    const struct launch launch = {.entry = entry,
                                  .rank = 1,
                                  .group = {LEAF_GROUP, 1, 1},
                                  .groups = {groups, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = count};
    return groups ? program_launch(program, &launch, error) : STATUS_OK;
}

static struct argument_value number(int64_t value)
{
    return (struct argument_value){ARGUMENT_LONG, {.long_value = value}};
}

enum status leaf_kernels_add(struct program *program, const struct leaf_sums *leaves, size_t elements,
                             struct error *error)
{
    const struct argument_value sums = {ARGUMENT_BUFFER, {.buffer = leaves->sums}};
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = leaves->a}},
        {ARGUMENT_BUFFER, {.buffer = leaves->b}},
        leaves->sums ? sums : number(leaves->address),
        number((int64_t)elements),
        number((int64_t)leaves->leaf),
    };
    const size_t groups = elements / leaves->leaf + (elements % leaves->leaf != 0);
    return start(program, leaves->sums ? "add_leaves" : "store_leaves", groups, arguments, COUNT_OF(arguments), error);
}

enum status leaf_kernels_collect(struct program *program, const struct leaf_total *total, struct error *error)
{
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = total->own}},
        number((int64_t)total->own_count),
        number(total->sums),
        number((int64_t)total->first_leaf),
        number((int64_t)total->count),
        {ARGUMENT_INT, {.int_value = (int32_t)total->devices}},
        number(total->done),
        number(total->result),
    };
    return start(program, "collect_leaves", 1, arguments, COUNT_OF(arguments), error);
}

enum status leaf_kernels_total(struct program *program, const struct buffer *sums, size_t count,
                               const struct buffer *result, struct error *error)
{
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = sums}},
        {ARGUMENT_BUFFER, {.buffer = result}},
        {ARGUMENT_LONG, {.long_value = (int64_t)count}},
    };
    return start(program, "add_sums", 1, arguments, COUNT_OF(arguments), error);
}

#include "distributed/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/size.h"

/* ---- names ---------------------------------------------------------------------------------------------------- */

static enum status add_id(const char *name, long index, char ids[GROUP_MAX][32], size_t *count, struct error *error)
{
    if (*count == GROUP_MAX)
        return fail(error, STATUS_INVALID, "more than %d devices in a group", GROUP_MAX);
    snprintf(ids[(*count)++], 32, "%s:%ld", name, index);
    return STATUS_OK;
}

/* Reads one word: "cuda:0..3", "cuda:1" or "cuda". */
static enum status read_word(const char *word, char ids[GROUP_MAX][32], size_t *count, struct error *error)
{
    char name[16];
    int name_length = (int)strcspn(word, ":");
    int devices = 0;
    enum status status = STATUS_OK;
    if (name_length == 0 || name_length >= (int)sizeof name)
        return fail(error, STATUS_INVALID, "'%.40s' is not a group of devices, such as cuda:0..3 or cuda:0,cuda:2",
                    word);
    snprintf(name, sizeof name, "%.*s", name_length, word);
    const char *rest = word + name_length;
    if (*rest == 0) {
        const struct backend *found = NULL;
        for (size_t b = 0; backends[b]; b++)
            found = strcmp(backends[b]->name, name) == 0 ? backends[b] : found;
        if (!found)
            return fail(error, STATUS_INVALID, "there is no backend '%s'", name);
        status = found->probe(&devices, error);
        for (long i = 0; status == STATUS_OK && i < devices; i++)
            status = add_id(name, i, ids, count, error);
        return status;
    }
    char *end;
    long first = strtol(rest + 1, &end, 10), last = first;
    bool good = end != rest + 1 && first >= 0;
    if (good && strncmp(end, "..", 2) == 0) {
        const char *number = end + 2;
        last = strtol(number, &end, 10);
        good = end != number && last >= first && last - first < GROUP_MAX;
    }
    if (!good || *end)
        return fail(error, STATUS_INVALID, "'%.40s' is not a group of devices, such as cuda:0..3 or cuda:0,cuda:2",
                    word);
    for (long i = first; status == STATUS_OK && i <= last; i++)
        status = add_id(name, i, ids, count, error);
    return status;
}

enum status group_parse(const char *text, char ids[GROUP_MAX][32], size_t *count, struct error *error)
{
    char copy[256];
    *count = 0;
    enum status status = STATUS_OK;
    if (strlen(text) >= sizeof copy)
        return fail(error, STATUS_INVALID, "'%.40s…' is not a group of devices, such as cuda:0..3 or cuda:0,cuda:2",
                    text);
    strcpy(copy, text);
    for (char *rest = copy, *word; status == STATUS_OK && (word = strsep(&rest, ","));)
        status = read_word(word, ids, count, error);
    return status;
}

/* The group's name: "cuda:0..3" for consecutive numbers, otherwise the ids. */
static void name_group(struct device_group *group)
{
    struct device *const *devices = group->devices;
    size_t last = group->count - 1, used = 0;
    bool follows = true;
    for (size_t i = 1; i < group->count; i++)
        follows =
            follows && devices[i]->backend == devices[0]->backend && devices[i]->index == devices[i - 1]->index + 1;
    if (follows && last > 0) {
        snprintf(group->name, sizeof group->name, "%s..%d", devices[0]->id, devices[last]->index);
        return;
    }
    for (size_t i = 0; i < group->count && used < sizeof group->name; i++)
        used += (size_t)snprintf(group->name + used, sizeof group->name - used, "%s%s", i ? "," : "", devices[i]->id);
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

/* Whether the device is in host memory and its runtime reports no addresses. */
static bool needs_helper(const struct device *device)
{
    return device->backend->kind == BACKEND_OPENCL && device->properties.is_cpu;
}

/* Makes an open device the next of the group. */
static enum status add_device(struct device_group *group, struct device *device, struct error *error)
{
    size_t i = group->count++;
    group->devices[i] = device;
    if (!(device->backend->kind & (BACKEND_CUDA | BACKEND_OPENCL)))
        return fail(error, STATUS_INVALID, "%s: a group is made of cuda or opencl devices", device->id);
    size_t times = 1;
    for (size_t j = 0; j < i; j++)
        times += strcmp(group->devices[j]->id, device->id) == 0;
    group->is_one_device = group->is_one_device || times > 1;
    snprintf(group->labels[i], sizeof group->labels[i], "%s", device->id);
    if (times > 1)
        snprintf(group->labels[i], sizeof group->labels[i], "%.20s#%zu", device->id, times);
    enum status status = event_create_untimed(device, &group->marks[i], error);
    if (status != STATUS_OK || !needs_helper(device))
        return status;
    const struct embedded_file *file = embedded_find("distributed/helper.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, NULL, 0};
    return program_build(device, &source, &group->helpers[i], error);
}

static enum status open_one(struct device_group *group, const char *id, struct error *error)
{
    struct device *device;
    enum status status = device_open(id, &device, error);
    return status == STATUS_OK ? add_device(group, device, error) : status;
}

enum status group_of_one(struct device *device, struct device_group *group, struct error *error)
{
    memset(group, 0, sizeof *group);
    group->has_peers = true;
    return add_device(group, device, error);
}

/* All but the devices. */
static void release(struct device_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        program_discard(group->helpers[i]);
        event_destroy(group->marks[i]);
    }
}

void group_of_one_end(struct device_group *group)
{
    release(group);
    memset(group, 0, sizeof *group);
}

enum status group_open(const char *text, struct device_group *group, struct error *error)
{
    char ids[GROUP_MAX][32];
    size_t count;
    memset(group, 0, sizeof *group);
    enum status status = group_parse(text, ids, &count, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = open_one(group, ids[i], error);
    if (status != STATUS_OK)
        return status;
    name_group(group);
    group->has_peers = true;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (i != j && group->has_peers)
                group->has_peers = peer_enable(group->devices[i], group->devices[j], &group->why_no_peers) == STATUS_OK;
    return STATUS_OK;
}

void group_close(struct device_group *group)
{
    release(group);
    for (size_t i = 0; i < group->count; i++)
        device_close(group->devices[i]);
    memset(group, 0, sizeof *group);
}

struct device_group group_first(const struct device_group *group, size_t count)
{
    struct device_group first = *group;
    first.count = count;
    name_group(&first);
    return first;
}

/* ---- order ---------------------------------------------------------------------------------------------------- */

enum status group_synchronize(const struct device_group *group, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        status = device_synchronize(group->devices[i], error);
    return status;
}

enum status group_barrier(const struct device_group *group, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        status = event_record(group->marks[i], error);
    for (size_t i = 0; i < group->count; i++)
        for (size_t j = 0; status == STATUS_OK && j < group->count; j++)
            if (i != j)
                status = peer_wait(group->devices[i], group->marks[j], error);
    return status;
}

/* ---- addresses and copies ------------------------------------------------------------------------------------- */

/* Reads a buffer's address by a kernel that gets the buffer as its argument. */
static enum status ask_address(const struct device_group *group, size_t index, const struct buffer *buffer,
                               int64_t *address, struct error *error)
{
    struct buffer place = {0};
    const struct argument_value arguments[] = {{ARGUMENT_BUFFER, {.buffer = buffer}},
                                               {ARGUMENT_BUFFER, {.buffer = &place}}};
    const struct launch launch = {.entry = "address_of",
                                  .rank = 1,
                                  .group = {1, 1, 1},
                                  .groups = {1, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    enum status status = buffer_allocate(group->devices[index], sizeof *address, &place, error);
    if (status == STATUS_OK)
        status = program_launch(group->helpers[index], &launch, error);
    if (status == STATUS_OK)
        status = buffer_read(&place, 0, address, sizeof *address, error);
    buffer_release(&place);
    return status;
}

enum status group_address(const struct device_group *group, size_t index, const struct buffer *buffer, int64_t *address,
                          struct error *error)
{
    if (group->helpers[index])
        return ask_address(group, index, buffer, address, error);
    if (buffer->device->backend->kind != BACKEND_CUDA)
        return fail(error, STATUS_UNAVAILABLE, "%s: its buffers have no address for other devices", buffer->device->id);
    *address = (int64_t)buffer->native;
    return STATUS_OK;
}

static enum status copy_by_kernel(const struct device_group *group, size_t by, const struct peer_copy *copy,
                                  struct error *error)
{
    int64_t from = 0, to = 0;
    size_t source = by, target = by;
    for (size_t i = 0; i < group->count; i++) {
        source = group->devices[i] == copy->source->device ? i : source;
        target = group->devices[i] == copy->target->device ? i : target;
    }
    enum status status = group_address(group, source, copy->source, &from, error);
    if (status == STATUS_OK)
        status = group_address(group, target, copy->target, &to, error);
    const struct argument_value arguments[] = {
        {ARGUMENT_LONG, {.long_value = from + (int64_t)copy->source_offset}},
        {ARGUMENT_LONG, {.long_value = to + (int64_t)copy->target_offset}},
        {ARGUMENT_LONG, {.long_value = (int64_t)copy->source_pitch}},
        {ARGUMENT_LONG, {.long_value = (int64_t)copy->target_pitch}},
        {ARGUMENT_LONG, {.long_value = (int64_t)copy->width}},
        {ARGUMENT_LONG, {.long_value = (int64_t)copy->rows}},
    };
    const struct launch launch = {.entry = "copy_rows",
                                  .rank = 1,
                                  .group = {1, 1, 1},
                                  .groups = {copy->rows < 64 ? copy->rows : 64, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return status == STATUS_OK ? program_launch(group->helpers[by], &launch, error) : status;
}

enum status group_copy(const struct device_group *group, size_t by, const struct peer_copy *copy, struct error *error)
{
    return group->helpers[by] ? copy_by_kernel(group, by, copy, error) : peer_copy(group->devices[by], copy, error);
}

double group_link(const struct device_group *group, char *name, size_t size)
{
    double slowest = 0;
    struct peer_link link;
    snprintf(name, size, "%s", "");
    for (size_t i = 0; i < group->count; i++)
        for (size_t j = 0; j < group->count; j++) {
            if (i == j)
                continue;
            if (!peer_link_find(group->devices[i], group->devices[j], &link))
                return 0;
            if (slowest == 0 || link.bytes_per_second < slowest) {
                slowest = link.bytes_per_second;
                snprintf(name, size, "%s", link.name);
            }
        }
    return slowest;
}

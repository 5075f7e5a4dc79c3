#include "distributed/carrier.h"

#include <string.h>

static enum status make_pair(struct carrier *carrier, size_t i, size_t j, struct error *error)
{
    const struct device_group *group = carrier->run->group;
    struct device *device = group->devices[i];
    if (queue_create(device, &carrier->leaving[i][j], NULL) != STATUS_OK)
        carrier->leaving[i][j] = NULL;
    enum status status = event_create_untimed(device, &carrier->left[i][j], error);
    if (status != STATUS_OK || carrier->kind != CARRIER_HOST)
        return status;
    if (queue_create(device, &carrier->arriving[i][j], NULL) != STATUS_OK)
        carrier->arriving[i][j] = NULL;
    status = event_create_untimed(device, &carrier->arrived[i][j], error);
    if (status == STATUS_OK && i != j)
        status = host_path_create(device, group->devices[j], &carrier->paths[i][j], error);
    return status;
}

enum status carrier_create(struct carrier *carrier, const struct device_run *run, struct error *error)
{
    memset(carrier, 0, sizeof *carrier);
    carrier->kind = run->rung->carrier;
    carrier->run = run;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++) {
        status = event_create_untimed(run->group->devices[i], &carrier->begun[i], error);
        for (size_t j = 0; status == STATUS_OK && j < run->group->count; j++)
            status = make_pair(carrier, i, j, error);
    }
    return status;
}

void carrier_destroy(struct carrier *carrier)
{
    for (size_t i = 0; i < GROUP_MAX; i++) {
        event_destroy(carrier->begun[i]);
        for (size_t j = 0; j < GROUP_MAX; j++) {
            host_path_destroy(carrier->paths[i][j]);
            event_destroy(carrier->left[i][j]);
            event_destroy(carrier->arrived[i][j]);
            queue_destroy(carrier->leaving[i][j]);
            queue_destroy(carrier->arriving[i][j]);
        }
    }
    memset(carrier, 0, sizeof *carrier);
}

/* Makes the queue wait for the event, which belongs to a queue of the same device. */
static enum status follow(struct device *device, struct queue *queue, struct event *event, struct error *error)
{
    if (!queue)
        return STATUS_OK;
    enum status status = queue_select(device, queue, error);
    if (status == STATUS_OK)
        status = queue_wait(event, error);
    queue_select(device, NULL, NULL);
    return status;
}

enum status carrier_begin(struct carrier *carrier, size_t from, struct error *error)
{
    const struct device_group *group = carrier->run->group;
    struct device *device = group->devices[from];
    enum status status = event_record(carrier->begun[from], error);
    for (size_t j = 0; status == STATUS_OK && j < group->count; j++) {
        status = follow(device, carrier->leaving[from][j], carrier->begun[from], error);
        if (status == STATUS_OK)
            status = follow(device, carrier->arriving[from][j], carrier->begun[from], error);
    }
    return status;
}

enum status carrier_begin_all(struct carrier *carrier, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < carrier->run->group->count; i++)
        status = carrier_begin(carrier, i, error);
    return status;
}

_Static_assert(CARRIER_MESSAGES_MAX >= 4 * GROUP_MAX * GROUP_MAX, "room for every pair");

static enum status note_message(struct carrier *carrier, size_t from, size_t to, const struct peer_copy *copy,
                                struct error *error)
{
    bool dense = copy->rows == 1 || (copy->source_pitch == copy->width && copy->target_pitch == copy->width);
    if (!dense || carrier->message_count == CARRIER_MESSAGES_MAX)
        return fail(error, STATUS_INVALID, "NCCL carries at most %d messages of bytes without gaps",
                    CARRIER_MESSAGES_MAX);
    carrier->messages[carrier->message_count++] = (struct nccl_message){.from = from,
                                                                        .to = to,
                                                                        .source = copy->source,
                                                                        .target = copy->target,
                                                                        .source_offset = copy->source_offset,
                                                                        .target_offset = copy->target_offset,
                                                                        .bytes = copy->width * copy->rows};
    return STATUS_OK;
}

enum status carrier_copy(struct carrier *carrier, size_t from, size_t to, const struct peer_copy *copy,
                         struct error *error)
{
    const struct device_group *group = carrier->run->group;
    if (copy->width == 0 || copy->rows == 0)
        return STATUS_OK;
    if (carrier->kind == CARRIER_NCCL && from != to)
        return note_message(carrier, from, to, copy, error);
    enum status status = queue_select(group->devices[from], carrier->leaving[from][to], error);
    if (status == STATUS_OK && from != to)
        status = queue_select(group->devices[to], carrier->arriving[to][from], error);
    if (status == STATUS_OK)
        status = carrier->kind == CARRIER_HOST && from != to ? host_path_copy(carrier->paths[from][to], copy, error)
                                                             : group_copy(group, from, copy, error);
    queue_select(group->devices[from], NULL, NULL);
    queue_select(group->devices[to], NULL, NULL);
    return status;
}

static enum status end_queue(struct device *device, struct queue *queue, struct event *event, struct error *error)
{
    enum status status = queue_select(device, queue, error);
    if (status == STATUS_OK)
        status = event_record(event, error);
    queue_select(device, NULL, NULL);
    return status;
}

enum status carrier_flush(struct carrier *carrier, struct error *error)
{
    const struct device_group *group = carrier->run->group;
    enum status status = STATUS_OK;
    if (!carrier->message_count)
        return STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        status = queue_select(group->devices[i], carrier->leaving[i][i], error);
    if (status == STATUS_OK)
        status = nccl_exchange(carrier->run->nccl, carrier->messages, carrier->message_count, error);
    carrier->message_count = 0;
    for (size_t i = 0; i < group->count; i++)
        queue_select(group->devices[i], NULL, NULL);
    return status;
}

enum status carrier_arrive(struct carrier *carrier, size_t from, size_t to, struct error *error)
{
    struct device *const *devices = carrier->run->group->devices;
    bool lands = carrier->kind == CARRIER_HOST && from != to;
    if (carrier->kind == CARRIER_NCCL) /* the receiver's part of an exchange is in a queue of its own */
        from = to;
    struct event *event = lands ? carrier->arrived[to][from] : carrier->left[from][to];
    enum status status = lands ? end_queue(devices[to], carrier->arriving[to][from], event, error)
                               : end_queue(devices[from], carrier->leaving[from][to], event, error);
    return status == STATUS_OK ? peer_wait(devices[to], event, error) : status;
}

enum status carrier_keep_step(struct carrier *carrier, struct error *error)
{
    const struct device_group *group = carrier->run->group;
    enum status status = STATUS_OK;
    if (carrier->kind != CARRIER_PEERS)
        return status;
    for (size_t i = 0; i < group->count; i++)
        for (size_t j = 0; j < group->count; j++)
            for (size_t other = 0; status == STATUS_OK && other < group->count; other++)
                if (i != j && i != other && j != other)
                    status = follow(group->devices[i], carrier->leaving[i][j], carrier->left[i][other], error);
    return status;
}

enum status carrier_join(struct carrier *carrier, struct error *error)
{
    const struct device_group *group = carrier->run->group;
    size_t count = group->count;
    enum status status = STATUS_OK;
    if (carrier->message_count)
        status = nccl_exchange(carrier->run->nccl, carrier->messages, carrier->message_count, error);
    carrier->message_count = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; status == STATUS_OK && j < count; j++) {
            status = end_queue(group->devices[i], carrier->leaving[i][j], carrier->left[i][j], error);
            if (status == STATUS_OK && carrier->kind == CARRIER_HOST)
                status = end_queue(group->devices[i], carrier->arriving[i][j], carrier->arrived[i][j], error);
        }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; status == STATUS_OK && j < count; j++) {
            status = peer_wait(group->devices[i], carrier->left[j][i], error);
            if (status == STATUS_OK && i != j)
                status = peer_wait(group->devices[i], carrier->left[i][j], error);
            if (status == STATUS_OK && carrier->kind == CARRIER_HOST)
                status = peer_wait(group->devices[i], carrier->arrived[i][j], error);
        }
    return status;
}

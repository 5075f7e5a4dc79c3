#include "distributed/peer_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/random.h"
#include "base/size.h"
#include "base/translation.h"
#include "base/unpredictable.h"

#define GROUP 256
#define UNROLL 4
#define GROUPS_PER_UNIT 8 /* groups of GROUP items that a multiprocessor holds */
#define WORD_BYTES 16

const char *const peer_means_names[PEER_MEANS_COUNT] = {
    [PEER_HOST] = "through-host",  [PEER_ENGINE] = "copy-engine", [PEER_STORES] = "kernel-stores",
    [PEER_LOADS] = "kernel-loads", [PEER_NCCL] = "nccl",
};

const char *const peer_means_ideas[PEER_MEANS_COUNT] = {
    [PEER_HOST] = N_("to pinned host memory, and from there: two buses and the host's memory"),
    [PEER_ENGINE] = N_("a copy engine moves the bytes directly from memory to memory"),
    [PEER_STORES] = N_("a kernel of the sender stores 16-byte words into the receiver's memory"),
    [PEER_LOADS] = N_("a kernel of the receiver loads 16-byte words from the sender's memory"),
    [PEER_NCCL] = N_("NVIDIA's library of collective operations: sends and receives"),
};

/* ---- what an exchange needs ----------------------------------------------------------------------------------- */

static void make_noise(unsigned char *bytes, size_t count, uint32_t seed)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count / sizeof(uint64_t); i++) {
        uint64_t word = random_word(seed, i);
        memcpy(bytes + i * sizeof word, &word, sizeof word);
    }
}

static enum status make_buffers(struct peer_exchange *exchange, size_t i, struct error *error)
{
    struct device *device = exchange->group->devices[i];
    exchange->expected[i] =
        aligned_alloc(BUFFER_ALIGNMENT, (exchange->bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT);
    if (!exchange->expected[i])
        return fail(error, STATUS_UNAVAILABLE, "no host memory for %zu bytes", exchange->bytes);
    make_noise(exchange->expected[i], exchange->bytes, (uint32_t)(20181 + i));
    enum status status = buffer_allocate(device, exchange->bytes, &exchange->sent[i], error);
    if (status == STATUS_OK)
        status = buffer_allocate(device, exchange->bytes, &exchange->received[i], error);
    if (status == STATUS_OK)
        status = buffer_write(&exchange->sent[i], 0, exchange->expected[i], exchange->bytes, error);
    return status;
}

static enum status make_program(struct peer_exchange *exchange, size_t i, struct error *error)
{
    static const char *const defines[] = {"GROUP=256", "UNROLL=4", "ELEMENT=uint", "ELEMENT_BYTES=4"};
    const struct embedded_file *file = embedded_find("distributed/peer_words.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    enum status status = program_build(exchange->group->devices[i], &source, &exchange->programs[i], error);
    if (status == STATUS_OK)
        status = group_address(exchange->group, i, &exchange->sent[i], &exchange->sent_at[i], error);
    if (status == STATUS_OK)
        status = group_address(exchange->group, i, &exchange->received[i], &exchange->received_at[i], error);
    return status;
}

/* Separate queues are optional: with one queue for each device, copies run one after another. */
static enum status make_paths(struct peer_exchange *exchange, size_t i, struct error *error)
{
    const struct device_group *group = exchange->group;
    enum status status = STATUS_OK;
    for (size_t j = 0; status == STATUS_OK && j < group->count; j++) {
        if (i == j)
            continue;
        if (queue_create(group->devices[i], &exchange->queues[i][j], NULL) != STATUS_OK ||
            queue_create(group->devices[i], &exchange->arrivals[i][j], NULL) != STATUS_OK)
            exchange->queues[i][j] = exchange->arrivals[i][j] = NULL;
        status = host_path_create(group->devices[i], group->devices[j], &exchange->paths[i][j], error);
    }
    return status;
}

enum status peer_exchange_create(const struct device_group *group, size_t bytes, struct peer_exchange *exchange,
                                 struct error *error)
{
    memset(exchange, 0, sizeof *exchange);
    exchange->group = group;
    exchange->bytes = bytes;
    exchange->seen = malloc(bytes);
    enum status status = exchange->seen ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no host memory");
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        status = make_buffers(exchange, i, error);
    for (size_t i = 0; status == STATUS_OK && group->has_peers && i < group->count; i++)
        status = make_program(exchange, i, error);
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        status = make_paths(exchange, i, error);
    if (status == STATUS_OK)
        nccl_open(group, &exchange->nccl, &exchange->why_no_nccl);
    return status;
}

void peer_exchange_destroy(struct peer_exchange *exchange)
{
    nccl_close(exchange->nccl);
    for (size_t i = 0; i < GROUP_MAX; i++) {
        for (size_t j = 0; j < GROUP_MAX; j++) {
            host_path_destroy(exchange->paths[i][j]);
            queue_destroy(exchange->queues[i][j]);
            queue_destroy(exchange->arrivals[i][j]);
        }
        program_discard(exchange->programs[i]);
        buffer_release(&exchange->sent[i]);
        buffer_release(&exchange->received[i]);
        free(exchange->expected[i]);
    }
    free(exchange->seen);
    memset(exchange, 0, sizeof *exchange);
}

/* ---- one exchange --------------------------------------------------------------------------------------------- */

static enum status move_by_kernel(struct peer_exchange *exchange, size_t by, const struct peer_transfer *transfer,
                                  size_t sharing, struct error *error)
{
    const struct device *device = exchange->group->devices[by];
    size_t words = transfer->bytes / WORD_BYTES, group_words = (size_t)GROUP * UNROLL;
    size_t most = (size_t)device->properties.units * GROUPS_PER_UNIT;
    size_t groups = size_least((words + group_words - 1) / group_words, (most + sharing - 1) / sharing);
    const struct argument_value arguments[] = {
        {ARGUMENT_LONG, {.long_value = exchange->sent_at[transfer->from] + (int64_t)transfer->source_offset}},
        {ARGUMENT_LONG, {.long_value = exchange->received_at[transfer->to] + (int64_t)transfer->target_offset}},
        {ARGUMENT_LONG, {.long_value = (int64_t)words}},
    };
    const struct launch launch = {.entry = "move_words",
                                  .rank = 1,
                                  .group = {GROUP, 1, 1},
                                  .groups = {groups, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return program_launch(exchange->programs[by], &launch, error);
}

static enum status move(struct peer_exchange *exchange, enum peer_means means, const struct peer_transfer *transfer,
                        size_t sharing, struct error *error)
{
    const struct device_group *group = exchange->group;
    const struct peer_copy copy = {.source = &exchange->sent[transfer->from],
                                   .target = &exchange->received[transfer->to],
                                   .source_offset = transfer->source_offset,
                                   .target_offset = transfer->target_offset,
                                   .width = transfer->bytes,
                                   .rows = 1};
    switch (means) {
    case PEER_HOST:
        return host_path_copy(exchange->paths[transfer->from][transfer->to], &copy, error);
    case PEER_ENGINE:
        return group_copy(group, transfer->from, &copy, error);
    default:
        return move_by_kernel(exchange, means == PEER_STORES ? transfer->from : transfer->to, transfer, sharing, error);
    }
}

static enum status refuse(const struct peer_exchange *exchange, enum peer_means means, struct error *error)
{
    if (means == PEER_NCCL && !exchange->nccl)
        return fail(error, STATUS_UNAVAILABLE, "%s", exchange->why_no_nccl.text);
    if (means != PEER_HOST && means != PEER_NCCL && !exchange->group->has_peers)
        return fail(error, STATUS_UNAVAILABLE, "%s", exchange->group->why_no_peers.text);
    return STATUS_OK;
}

static enum status select_queues(struct peer_exchange *exchange, size_t from, size_t to, struct error *error)
{
    enum status status = queue_select(exchange->group->devices[from], exchange->queues[from][to], error);
    return status == STATUS_OK ? queue_select(exchange->group->devices[to], exchange->arrivals[to][from], error)
                               : status;
}

static enum status exchange_by_nccl(struct peer_exchange *exchange, const struct peer_transfer *transfers, size_t count,
                                    struct error *error)
{
    struct nccl_message messages[GROUP_MAX * GROUP_MAX];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        messages[i] = (struct nccl_message){.from = transfers[i].from,
                                            .to = transfers[i].to,
                                            .source = &exchange->sent[transfers[i].from],
                                            .target = &exchange->received[transfers[i].to],
                                            .source_offset = transfers[i].source_offset,
                                            .target_offset = transfers[i].target_offset,
                                            .bytes = transfers[i].bytes};
    for (size_t i = 0; status == STATUS_OK && i < exchange->group->count; i++)
        status = queue_select(exchange->group->devices[i], NULL, error);
    return status == STATUS_OK ? nccl_exchange(exchange->nccl, messages, count, error) : status;
}

enum status peer_exchange_enqueue(struct peer_exchange *exchange, enum peer_means means,
                                  const struct peer_transfer *transfers, size_t count, struct error *error)
{
    enum status status = refuse(exchange, means, error);
    if (status == STATUS_OK && means == PEER_NCCL)
        return exchange_by_nccl(exchange, transfers, count, error);
    size_t sharing = exchange->group->count > 2 && count > 2 ? exchange->group->count - 1 : 1;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = select_queues(exchange, transfers[i].from, transfers[i].to, error);
        if (status == STATUS_OK)
            status = move(exchange, means, &transfers[i], sharing, error);
    }
    return status;
}

/* Waits for a device's queue, then selects the device's own queue again. */
static enum status wait_for(struct device *device, struct queue *queue, struct error *error)
{
    enum status status = queue_select(device, queue, error);
    if (status == STATUS_OK)
        status = device_synchronize(device, error);
    queue_select(device, NULL, NULL);
    return status;
}

enum status peer_exchange_finish(struct peer_exchange *exchange, enum peer_means means,
                                 const struct peer_transfer *transfers, size_t count, struct error *error)
{
    struct device *const *devices = exchange->group->devices;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        size_t from = transfers[i].from, to = transfers[i].to;
        bool at_source = means == PEER_ENGINE || means == PEER_STORES;
        if (at_source || means == PEER_NCCL)
            status = wait_for(devices[from], means == PEER_NCCL ? NULL : exchange->queues[from][to], error);
        if (status == STATUS_OK && !at_source)
            status = wait_for(devices[to], means == PEER_NCCL ? NULL : exchange->arrivals[to][from], error);
    }
    return status;
}

/* ---- every byte ----------------------------------------------------------------------------------------------- */

static enum status spoil(struct peer_exchange *exchange, const struct peer_transfer *transfers, size_t count,
                         struct error *error)
{
    enum status status = STATUS_OK;
    unsigned char poison = (unsigned char)unpredictable();
    for (size_t i = 0; i < exchange->group->count; i++)
        queue_select(exchange->group->devices[i], NULL, NULL);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = buffer_fill(&exchange->received[transfers[i].to], transfers[i].target_offset, poison,
                             transfers[i].bytes, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = wait_for(exchange->group->devices[transfers[i].to], NULL, error);
    return status;
}

enum status peer_exchange_verify(struct peer_exchange *exchange, enum peer_means means,
                                 const struct peer_transfer *transfers, size_t count, struct error *error)
{
    enum status status = refuse(exchange, means, error);
    if (status == STATUS_OK)
        status = spoil(exchange, transfers, count, error);
    if (status == STATUS_OK)
        status = peer_exchange_enqueue(exchange, means, transfers, count, error);
    if (status == STATUS_OK)
        status = peer_exchange_finish(exchange, means, transfers, count, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct peer_transfer *one = &transfers[i];
        status = buffer_read(&exchange->received[one->to], one->target_offset, exchange->seen, one->bytes, error);
        if (status == STATUS_OK &&
            memcmp(exchange->seen, exchange->expected[one->from] + one->source_offset, one->bytes) != 0)
            status = fail(error, STATUS_FAILED, "what %s received is not what %s sent",
                          exchange->group->devices[one->to]->id, exchange->group->devices[one->from]->id);
    }
    return status;
}

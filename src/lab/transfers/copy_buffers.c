#include "lab/transfers/copy_buffers.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/size.h"
#include "base/text.h"

#define ALIGNMENT ((size_t)4096)

static enum status allocate_plain(struct copy_buffers *buffers, struct error *error)
{
    size_t rounded;
    char size[32];
    /* Two pageable arrays and two pinned ones; two more on a device whose memory is the host's. */
    uint64_t needed = (uint64_t)buffers->bytes * (buffers->device->properties.is_cpu ? 6 : 4);
    if (buffers->bytes > UINT64_MAX / 6 || memory_suffices(needed, "bandwidth", error) != STATUS_OK)
        return STATUS_INVALID;
    for (int i = 0; i < 2; i++) {
        if (size_add(buffers->bytes, ALIGNMENT, &rounded))
            buffers->plain[i] = aligned_alloc(ALIGNMENT, rounded / ALIGNMENT * ALIGNMENT);
        if (!buffers->plain[i])
            return fail(error, STATUS_UNAVAILABLE, "no host memory for two arrays of %s",
                        text_bytes((double)buffers->bytes, size, sizeof size));
    }
    return STATUS_OK;
}

static enum status make_events(struct copy_buffers *buffers, struct error *error)
{
    enum status status = STATUS_OK;
    for (int side = 0; side < 2; side++)
        for (int i = 0; status == STATUS_OK && i <= CARRIER_BATCH_MAX; i++)
            status = event_create(buffers->device, &buffers->marks[side][i], error);
    return status;
}

static void make_noise(struct copy_buffers *buffers)
{
    size_t words = buffers->bytes / sizeof(uint64_t);
    size_t read = buffers->bytes / CARRIER_READ_UNIT * (CARRIER_READ_UNIT / sizeof(uint64_t));
    uint64_t low = 0, high = 0;
#pragma omp parallel for schedule(static) reduction(^ : low, high)
    for (size_t i = 0; i < words; i++) {
        uint64_t word = random_word(20151, i);
        memcpy(buffers->plain[0] + i * sizeof word, &word, sizeof word);
        low ^= i < read && i % 2 == 0 ? word : 0;
        high ^= i < read && i % 2 == 1 ? word : 0;
    }
    for (size_t i = words * sizeof(uint64_t); i < buffers->bytes; i++)
        buffers->plain[0][i] = (unsigned char)(i * 41);
    cpu_stream_copy(buffers->plain[1], buffers->plain[0], buffers->bytes); /* first touch, so that the pages exist */
    buffers->noise[0] = low;
    buffers->noise[1] = high;
}

/* Pins all of the buffers, or none of them. */
static enum status pin(struct copy_buffers *buffers, struct error *error)
{
    enum status status = staging_create(buffers->device, &buffers->staging, error);
    for (int i = 0; i < 2; i++) {
        if (status == STATUS_OK)
            status = host_memory_pin(buffers->device, MEMORY_PINNED, buffers->bytes, &buffers->pinned[i], error);
        if (status == STATUS_OK)
            status = queue_create(buffers->device, &buffers->queues[i], error);
    }
    if (status == STATUS_OK)
        cpu_stream_copy(buffers->pinned[0].data, buffers->plain[0], buffers->bytes);
    return status;
}

static void unpin(struct copy_buffers *buffers)
{
    for (int i = 0; i < 2; i++) {
        queue_destroy(buffers->queues[i]);
        host_memory_unpin(&buffers->pinned[i]);
        buffers->queues[i] = NULL;
    }
    staging_destroy(buffers->staging);
    buffers->staging = NULL;
}

enum status copy_buffers_create(struct device *device, size_t bytes, struct copy_buffers *buffers,
                                struct error *why_not, struct error *error)
{
    *buffers = (struct copy_buffers){.device = device, .bytes = bytes};
    enum status status = allocate_plain(buffers, error);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = buffer_allocate(device, bytes, &buffers->there[i], error);
    if (status == STATUS_OK)
        status = make_events(buffers, error);
    if (status != STATUS_OK)
        return status;
    make_noise(buffers);
    status = buffer_write(&buffers->there[1], 0, buffers->plain[0], bytes, error);
    if (status == STATUS_OK)
        status = copy_buffers_read_prepare(buffers, error);
    if (status == STATUS_OK && pin(buffers, why_not) != STATUS_OK)
        unpin(buffers);
    return status;
}

void copy_buffers_destroy(struct copy_buffers *buffers)
{
    unpin(buffers);
    program_discard(buffers->reader);
    buffer_release(&buffers->seen);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i <= CARRIER_BATCH_MAX; i++)
            event_destroy(buffers->marks[side][i]);
        buffer_release(&buffers->there[side]);
        free(buffers->plain[side]);
    }
    memset(buffers, 0, sizeof *buffers);
}

#include "lab/carrier.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/size.h"
#include "base/text.h"

#define ALIGNMENT ((size_t)4096)

static enum status allocate_plain(struct carrier *carrier, struct error *error)
{
    size_t rounded;
    char size[32];
    /* Two plain arrays, two pinned ones, and two of the device where its memory is the host's. */
    uint64_t needed = (uint64_t)carrier->bytes * (carrier->device->properties.is_cpu ? 6 : 4);
    if (carrier->bytes > UINT64_MAX / 6 || memory_suffices(needed, "bandwidth", error) != STATUS_OK)
        return STATUS_INVALID;
    for (int i = 0; i < 2; i++) {
        if (size_add(carrier->bytes, ALIGNMENT, &rounded))
            carrier->plain[i] = aligned_alloc(ALIGNMENT, rounded / ALIGNMENT * ALIGNMENT);
        if (!carrier->plain[i])
            return fail(error, STATUS_UNAVAILABLE, "no host memory for two arrays of %s",
                        text_bytes((double)carrier->bytes, size, sizeof size));
    }
    return STATUS_OK;
}

static enum status make_marks(struct carrier *carrier, struct error *error)
{
    enum status status = STATUS_OK;
    for (int side = 0; side < 2; side++)
        for (int i = 0; status == STATUS_OK && i <= CARRIER_BATCH_MAX; i++)
            status = mark_create(carrier->device, &carrier->marks[side][i], error);
    return status;
}

static void make_noise(struct carrier *carrier)
{
    size_t words = carrier->bytes / sizeof(uint64_t);
    size_t read = carrier->bytes / CARRIER_READ_UNIT * (CARRIER_READ_UNIT / sizeof(uint64_t));
    uint64_t low = 0, high = 0;
#pragma omp parallel for schedule(static) reduction(^ : low, high)
    for (size_t i = 0; i < words; i++) {
        uint64_t word = random_word(20151, i);
        memcpy(carrier->plain[0] + i * sizeof word, &word, sizeof word);
        low ^= i < read && i % 2 == 0 ? word : 0;
        high ^= i < read && i % 2 == 1 ? word : 0;
    }
    for (size_t i = words * sizeof(uint64_t); i < carrier->bytes; i++)
        carrier->plain[0][i] = (unsigned char)(i * 41);
    cpu_stream_copy(carrier->plain[1], carrier->plain[0], carrier->bytes); /* so that its pages are there */
    carrier->noise[0] = low;
    carrier->noise[1] = high;
}

/* All or none of what pinned memory is needed for. */
static enum status pin(struct carrier *carrier, struct error *error)
{
    enum status status = staging_create(carrier->device, &carrier->staging, error);
    for (int i = 0; i < 2; i++) {
        if (status == STATUS_OK)
            status = host_memory_pin(carrier->device, MEMORY_PINNED, carrier->bytes, &carrier->pinned[i], error);
        if (status == STATUS_OK)
            status = queue_create(carrier->device, &carrier->queues[i], error);
    }
    if (status == STATUS_OK)
        cpu_stream_copy(carrier->pinned[0].data, carrier->plain[0], carrier->bytes);
    return status;
}

static void unpin(struct carrier *carrier)
{
    for (int i = 0; i < 2; i++) {
        queue_destroy(carrier->queues[i]);
        host_memory_unpin(&carrier->pinned[i]);
        carrier->queues[i] = NULL;
    }
    staging_destroy(carrier->staging);
    carrier->staging = NULL;
}

enum status carrier_create(struct device *device, size_t bytes, struct carrier *carrier, struct error *why_not,
                           struct error *error)
{
    *carrier = (struct carrier){.device = device, .bytes = bytes};
    enum status status = allocate_plain(carrier, error);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = buffer_allocate(device, bytes, &carrier->there[i], error);
    if (status == STATUS_OK)
        status = make_marks(carrier, error);
    if (status != STATUS_OK)
        return status;
    make_noise(carrier);
    status = buffer_write(&carrier->there[1], 0, carrier->plain[0], bytes, error);
    if (status == STATUS_OK)
        status = carrier_read_prepare(carrier, error);
    if (status == STATUS_OK && pin(carrier, why_not) != STATUS_OK)
        unpin(carrier);
    return status;
}

void carrier_destroy(struct carrier *carrier)
{
    unpin(carrier);
    program_discard(carrier->reader);
    buffer_release(&carrier->seen);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i <= CARRIER_BATCH_MAX; i++)
            mark_destroy(carrier->marks[side][i]);
        buffer_release(&carrier->there[side]);
        free(carrier->plain[side]);
    }
    memset(carrier, 0, sizeof *carrier);
}

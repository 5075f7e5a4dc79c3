#include "lab/verification/canaries.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/random.h"
#include "base/size.h"

/* Canaries on a device are large because a stray write lands rows away from the array, and no guard page is there; one
 * quick copy checks them. Canaries on the host are small because the arrays' placement is part of what is timed; guard
 * pages catch the rest. */
#define CANARY_BYTES ((size_t)BUFFER_ALIGNMENT)
#define DEVICE_CANARY_BYTES ((size_t)64 << 10)
#define CANARY_MOST DEVICE_CANARY_BYTES /* between guard pages: CANARY_BYTES, rounded up to pages */

bool canaries_wanted(void)
{
    const char *said = getenv("USKOR_CANARIES");
    return !said || strcmp(said, "none") != 0;
}

static size_t canary_bytes_on(const struct device *device)
{
    if (device->backend->kind == BACKEND_CPU)
        return CANARY_BYTES;
    return canaries_wanted() ? DEVICE_CANARY_BYTES : 0;
}

/* Each word is a NaN, as a float and as a half of a double: what is read beyond an array spoils a sum even where it is
 * multiplied by 0. The rest of the bits is random. */
static void make_numbers_nan(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i + 4 <= count; i += 4) {
        bytes[i + 2] |= 0xf0;
        bytes[i + 3] |= 0x7f;
    }
}

/* Canaries of arrays that are made one after the other begin so far apart: a rung that copies one array to another and
 * goes too far copies another canary than is there. */
#define CANARY_STEP 1028
#define CANARIES 16

static size_t next_canary(void)
{
    static atomic_size_t made;
    return atomic_fetch_add(&made, 1) % CANARIES * CANARY_STEP;
}

/* The same bytes before and behind an array. */
static const unsigned char *canary_of(const struct guarded *guarded)
{
    static unsigned char bytes[CANARY_MOST + CANARIES * CANARY_STEP];
    static bool made;
    if (!made) {
        struct random random;
        random_seed(&random, 20130401);
        random_bytes(&random, bytes, sizeof bytes);
        make_numbers_nan(bytes, sizeof bytes);
        made = true;
    }
    return bytes + guarded->canary;
}

/* The canaries before and behind the payload, as parts of the whole buffer. */
struct span {
    size_t offset, bytes;
};

static void find_canaries(const struct guarded *guarded, struct span spans[2])
{
    size_t payload = guarded->payload.bytes, whole = guarded->whole.bytes;
    size_t before =
        guarded->memory.mapping ? (size_t)(guarded->memory.payload - guarded->memory.inside) : (whole - payload) / 2;
    spans[0] = (struct span){0, before};
    spans[1] = (struct span){before + payload, whole - before - payload};
}

enum status guarded_repair(const struct guarded *guarded, struct error *error)
{
    struct span spans[2];
    enum status status = STATUS_OK;
    find_canaries(guarded, spans);
    for (int side = 0; status == STATUS_OK && side < 2; side++)
        if (spans[side].bytes)
            status = buffer_write(&guarded->whole, spans[side].offset, canary_of(guarded), spans[side].bytes, error);
    return status;
}

enum status guarded_allocate(struct device *device, enum memory_kind kind, size_t bytes, struct guarded *guarded,
                             struct error *error)
{
    size_t total, canary_bytes = canary_bytes_on(device);
    guarded->canary = next_canary();
    if (!size_add(bytes, 2 * canary_bytes, &total))
        return fail(error, STATUS_INVALID, "an array of %zu bytes does not fit", bytes);
    enum status status = memory_kind_is_shared(kind) ? buffer_share(device, kind, total, &guarded->whole, error)
                                                     : buffer_allocate(device, total, &guarded->whole, error);
    if (status == STATUS_OK)
        status = buffer_view(&guarded->whole, canary_bytes, bytes, &guarded->payload, error);
    return status == STATUS_OK ? guarded_repair(guarded, error) : status;
}

enum status guarded_allocate_paged(struct device *device, const char *array, size_t bytes, enum guard_side side,
                                   struct guarded *guarded, struct error *error)
{
    enum status status = guarded_memory_create(array, bytes, CANARY_BYTES, side, &guarded->memory, error);
    if (status != STATUS_OK)
        return status;
    guarded->canary = next_canary();
    cpu_wrap(device, guarded->memory.inside, guarded->memory.inside_bytes, &guarded->whole);
    cpu_wrap(device, guarded->memory.payload, bytes, &guarded->payload);
    return guarded_repair(guarded, error);
}

void guarded_release(struct guarded *guarded)
{
    buffer_release(&guarded->payload);
    buffer_release(&guarded->whole);
    guarded_memory_destroy(&guarded->memory);
}

enum status guarded_check(const struct guarded *guarded, const char *array, struct error *error)
{
    static unsigned char seen[CANARY_MOST];
    struct span spans[2];
    find_canaries(guarded, spans);
    for (size_t side = 0; side < COUNT_OF(spans) && spans[side].bytes; side++) {
        enum status status = buffer_read(&guarded->whole, spans[side].offset, seen, spans[side].bytes, error);
        if (status != STATUS_OK)
            return status;
        if (memcmp(seen, canary_of(guarded), spans[side].bytes) != 0)
            return side == 0 ? fail(error, STATUS_FAILED, "wrote before the start of array '%s'", array)
                             : fail(error, STATUS_FAILED, "wrote past the end of array '%s'", array);
    }
    return STATUS_OK;
}

#include "explain/memory/buffers.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "explain/memory/trace_device.h"

#define SLOT_BYTES ((size_t)1 << SLOT_BITS)

static enum status reserve(struct trace_arena *arena, struct error *error)
{
    if (arena->base)
        return STATUS_OK;
    arena->bytes_most = memory_available(NULL) / 10 * 8;
    void *base = mmap(NULL, ARENA_SLOTS * SLOT_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return fail(error, STATUS_UNAVAILABLE, "the system gives no address space for the trace; see ulimit -v");
    arena->base = base;
    return STATUS_OK;
}

/* Buffers are memory only once they are touched, so what is left is no measure. */
static enum status check_room(const struct trace_arena *arena, size_t bytes, struct error *error)
{
    char needed[32], room[32];
    double all = (double)bytes;
    for (int slot = 0; slot < ARENA_SLOTS; slot++)
        all += arena->is_used[slot] ? (double)arena->slot_bytes[slot] : 0;
    if (all <= (double)arena->bytes_most)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE,
                "too large to be traced: its buffers need %s or more, and a trace may have %s of memory here",
                text_bytes(all, needed, sizeof needed), text_bytes((double)arena->bytes_most, room, sizeof room));
}

static bool back(unsigned char *memory, size_t bytes, int *file)
{
    int made = memfd_create("uskor-trace", MFD_CLOEXEC);
    if (made < 0)
        return false;
    *file = made;
    if (ftruncate(made, (off_t)bytes) == 0 &&
        mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, made, 0) != MAP_FAILED)
        return true;
    close(made);
    return false;
}

bool trace_arena_part(struct trace_arena *arena)
{
    for (int slot = 0; slot < ARENA_SLOTS; slot++) {
        unsigned char *memory = arena->base + (size_t)slot * SLOT_BYTES;
        if (arena->is_used[slot] && arena->files[slot] >= 0 &&
            mmap(memory, arena->slot_bytes[slot], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, arena->files[slot],
                 0) == MAP_FAILED)
            return false;
    }
    return true;
}

/* Zeroed, so that a kernel that reads uninitialised memory does the same on every machine. */
enum status trace_allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    struct trace_arena *arena = trace_arena_of(device);
    enum status status = reserve(arena, error);
    char size[32];
    if (status != STATUS_OK)
        return status;
    int slot = 1; /* the first stays empty: what lies before an array is in no other memory */
    while (slot < ARENA_SLOTS && arena->is_used[slot])
        slot++;
    if (slot == ARENA_SLOTS || bytes >= SLOT_BYTES)
        return fail(error, STATUS_UNAVAILABLE,
                    "too large to be traced: a trace has room for %d buffers of at most 32 GiB", ARENA_SLOTS - 1);
    status = check_room(arena, bytes, error);
    if (status != STATUS_OK)
        return status;
    unsigned char *memory = arena->base + (size_t)slot * SLOT_BYTES;
    arena->files[slot] = -1;
    if (bytes > 0 && !back(memory, bytes, &arena->files[slot]))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a buffer of %s", device->id,
                    text_bytes((double)bytes, size, sizeof size));
    arena->is_used[slot] = true;
    arena->slot_bytes[slot] = bytes;
    *buffer = (struct buffer){.device = device, .bytes = bytes, .host = memory, .native = (uintptr_t)memory};
    return STATUS_OK;
}

enum status trace_view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                       struct error *error)
{
    (void)error;
    *buffer = *parent;
    buffer->bytes = bytes;
    buffer->native += offset;
    buffer->host = (void *)buffer->native;
    buffer->is_view = true;
    return STATUS_OK;
}

uint64_t trace_buffer_offset(const struct buffer *buffer)
{
    return buffer->native - (uintptr_t)trace_arena_of(buffer->device)->base;
}

void trace_release(struct buffer *buffer)
{
    if (buffer->is_view)
        return;
    struct trace_arena *arena = trace_arena_of(buffer->device);
    uint64_t slot = trace_buffer_offset(buffer) >> SLOT_BITS;
    (void)mmap(arena->base + slot * SLOT_BYTES, SLOT_BYTES, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (arena->files[slot] >= 0)
        close(arena->files[slot]);
    arena->is_used[slot] = false;
    arena->slot_bytes[slot] = 0;
}

void trace_arena_free(struct trace_arena *arena)
{
    if (arena->base)
        munmap(arena->base, ARENA_SLOTS * SLOT_BYTES);
    arena->base = NULL;
}

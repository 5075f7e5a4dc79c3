#include "lab/verification/guard_pages.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/fault_place.h"
#include "base/size.h"
#include "base/text.h"

#define ENTRIES_MAX 64
#define NAME_MAX_BYTES 32

/* One mapping. `used` is set last and cleared first, so that a signal handler never reads half an entry. */
struct entry {
    atomic_bool used, sealed;
    uintptr_t from, to;             /* bounds of the mapping */
    uintptr_t payload, payload_end; /* bounds of the bytes that a rung may access */
    char array[NAME_MAX_BYTES];
};

static struct entry entries[ENTRIES_MAX];
static bool is_allowed;

void guard_pages_allow(bool allowed)
{
    is_allowed = allowed;
}

bool guard_pages_allowed(void)
{
    return is_allowed;
}

/* ---- mapping -------------------------------------------------------------------------------------------------- */

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static int enter(const struct guarded_memory *memory, const char *array)
{
    for (int i = 0; i < ENTRIES_MAX; i++) {
        struct entry *entry = &entries[i];
        if (atomic_load(&entry->used))
            continue;
        entry->from = (uintptr_t)memory->mapping;
        entry->to = entry->from + memory->mapped;
        entry->payload = (uintptr_t)memory->payload;
        entry->payload_end = entry->payload + memory->bytes;
        strncpy(entry->array, array, sizeof entry->array - 1);
        entry->array[sizeof entry->array - 1] = '\0';
        atomic_store(&entry->sealed, false);
        atomic_store(&entry->used, true);
        return i;
    }
    return -1;
}

static enum status fail_mapping(size_t bytes, struct error *error)
{
    char size[32];
    return fail(error, STATUS_UNAVAILABLE, "no memory for an array of %s between guard pages",
                text_bytes((double)bytes, size, sizeof size));
}

/* Mappings that were destroyed and whose pages are kept: those of new ones would fault one by one, in each edge case
 * anew. None of their bytes can be accessed. */
#define KEPT_MOST 16
#define KEPT_BYTES_MOST ((size_t)32 << 20)

static struct kept {
    unsigned char *mapping;
    size_t mapped; /* 0: none */
} kept[KEPT_MOST];

/* The smallest that suffices, or a new one; MAP_FAILED as mmap. *mapped grows to its length. */
static void *take_mapping(size_t *mapped)
{
    struct kept *found = NULL;
    for (struct kept *one = kept; one < kept + KEPT_MOST; one++)
        if (one->mapped >= *mapped && (!found || one->mapped < found->mapped))
            found = one;
    if (!found)
        return mmap(NULL, *mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *mapped = found->mapped;
    found->mapped = 0;
    return found->mapping;
}

/* In place of the smallest where there are too many. */
static void give_mapping(const struct guarded_memory *memory)
{
    struct kept *least = kept, given = {memory->mapping, memory->mapped};
    for (struct kept *one = kept; one < kept + KEPT_MOST; one++)
        if (one->mapped < least->mapped)
            least = one;
    if (given.mapped <= KEPT_BYTES_MOST && mprotect(memory->inside, memory->inside_bytes, PROT_NONE) == 0) {
        const struct kept smaller = *least;
        *least = given;
        given = smaller;
    }
    if (given.mapped)
        munmap(given.mapping, given.mapped);
}

/* The next power of two, so that arrays of other lengths fit, too; what is beyond them is part of the guard. */
static size_t mapping_bytes(size_t bytes)
{
    size_t power = 4 * page_bytes();
    while (power < bytes)
        power *= 2;
    return bytes > KEPT_BYTES_MOST ? bytes : power;
}

enum status guarded_memory_create(const char *array, size_t bytes, size_t canary, enum guard_side side,
                                  struct guarded_memory *memory, struct error *error)
{
    size_t page = page_bytes(), inside, mapped;
    memset(memory, 0, sizeof *memory);
    if (!size_add(bytes, canary, &inside) || !size_add(inside, page - 1, &inside))
        return fail_mapping(bytes, error);
    inside -= inside % page;
    if (!size_add(inside, 2 * page, &mapped))
        return fail_mapping(bytes, error);
    mapped = mapping_bytes(mapped);
    void *mapping = take_mapping(&mapped);
    if (mapping == MAP_FAILED)
        return fail_mapping(bytes, error);
    *memory = (struct guarded_memory){.mapping = mapping, .mapped = mapped, .bytes = bytes, .inside_bytes = inside};
    memory->inside = memory->mapping + page;
    memory->payload = side == GUARD_END ? memory->inside + inside - bytes : memory->inside;
    memory->entry = enter(memory, array);
    if (inside && mprotect(memory->inside, inside, PROT_READ | PROT_WRITE) != 0) {
        guarded_memory_destroy(memory);
        return fail_mapping(bytes, error);
    }
    return STATUS_OK;
}

void guarded_memory_seal(struct guarded_memory *memory, bool sealed)
{
    if (!memory->mapping || memory->inside_bytes == 0)
        return;
    if (memory->entry >= 0)
        atomic_store(&entries[memory->entry].sealed, sealed);
    mprotect(memory->inside, memory->inside_bytes, sealed ? PROT_READ : PROT_READ | PROT_WRITE);
}

void guarded_memory_destroy(struct guarded_memory *memory)
{
    if (memory->mapping) {
        if (memory->entry >= 0)
            atomic_store(&entries[memory->entry].used, false);
        give_mapping(memory);
    }
    memset(memory, 0, sizeof *memory);
}

/* ---- in a signal handler: no allocation, no locale, no lock ----------------------------------------------------- */

bool guard_pages_describe(const void *address, bool wrote, char *text, size_t size)
{
    uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < ENTRIES_MAX; i++) {
        const struct entry *entry = &entries[i];
        const bool is_payload = at >= entry->payload && at < entry->payload_end;
        if (!atomic_load(&entry->used) || at < entry->from || at >= entry->to ||
            (is_payload && !atomic_load(&entry->sealed)))
            continue;
        const bool is_before = at < entry->payload;
        fault_place_write(is_payload  ? FAULT_WROTE_INPUT
                          : wrote     ? is_before ? FAULT_WROTE_BEFORE : FAULT_WROTE_PAST
                          : is_before ? FAULT_READ_BEFORE
                                      : FAULT_READ_PAST,
                          entry->array, text, size);
        return true;
    }
    return false;
}

#if defined __x86_64__
bool guard_pages_wrote(const void *context)
{
    enum { PAGE_FAULT_WRITE = 1 << 1 }; /* bit of the error code that the processor pushes */
    const ucontext_t *registers = context;
    return (registers->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0;
}
#elif defined __aarch64__
#include <asm/sigcontext.h>

/* The syndrome register is in one of the records that follow the registers; its bit 6 is set for a write. */
bool guard_pages_wrote(const void *context)
{
    enum { SYNDROME_WRITE = 1 << 6 };
    const ucontext_t *registers = context;
    const unsigned char *record = (const unsigned char *)registers->uc_mcontext.__reserved;
    const unsigned char *end = record + sizeof registers->uc_mcontext.__reserved;
    while ((size_t)(end - record) >= sizeof(struct _aarch64_ctx)) {
        struct _aarch64_ctx head;
        memcpy(&head, record, sizeof head);
        if (head.magic == ESR_MAGIC) {
            struct esr_context syndrome;
            memcpy(&syndrome, record, sizeof syndrome);
            return (syndrome.esr & SYNDROME_WRITE) != 0;
        }
        if (head.magic == 0 || head.size == 0 || head.size > (size_t)(end - record))
            return false;
        record += head.size;
    }
    return false;
}
#else
bool guard_pages_wrote(const void *context)
{
    (void)context;
    return false;
}
#endif

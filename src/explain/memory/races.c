#include "explain/memory/races.h"

#include <stdlib.h>
#include <string.h>

/* Values in place of an item's number: nobody; items of several warps; several items of one warp, whose number is
 * added. */
enum { NOBODY = 0xffff, SEVERAL = 0xfffe, SEVERAL_OF = 0x8000, WARPS_MAX = 32 };

/* The items that touched a byte since the last barrier. */
struct touch {
    uint32_t interval;                       /* number of the barrier interval; entries of an older one are void */
    uint32_t writer_meeting, reader_meeting; /* the warps' meeting numbers at that time */
    uint16_t writer, reader;
    unsigned writer_code, reader_code;
};

/* An element of global memory, by its offset in the arena, and who accessed it since the last barrier. */
struct element {
    uint64_t at;
    uint32_t interval; /* 0: an empty place */
    uint32_t meeting;
    uint16_t writer, reader;
    unsigned writer_code;
};

struct races {
    struct touch *bytes;
    size_t byte_count;
    uint32_t interval;
    uint32_t meetings[WARPS_MAX];
    const struct traced_program *program;
    struct race found[RACES_MAX];
    size_t found_count;
    struct element
        *elements; /* a table of 2^n places, at most half of them taken; NULL: global memory is not watched */
    size_t places, taken;
};

struct races *races_create(void)
{
    return calloc(1, sizeof(struct races));
}

void races_free(struct races *races)
{
    if (races) {
        free(races->bytes);
        free(races->elements);
    }
    free(races);
}

bool races_begin_group(struct races *races, const struct traced_program *program, size_t local_bytes)
{
    races->program = program;
    races->interval++;
    if (local_bytes <= races->byte_count)
        return true;
    struct touch *bytes = realloc(races->bytes, local_bytes * sizeof *bytes);
    if (!bytes)
        return false;
    memset(bytes + races->byte_count, 0, (local_bytes - races->byte_count) * sizeof *bytes);
    races->bytes = bytes;
    races->byte_count = local_bytes;
    return true;
}

void races_barrier(struct races *races)
{
    races->interval++;
}

void races_meeting(struct races *races, unsigned warp)
{
    if (warp < WARPS_MAX)
        races->meetings[warp]++;
}

static bool is_known(const struct races *races, unsigned one, unsigned other)
{
    for (size_t i = 0; i < races->found_count; i++) {
        const struct race *known = &races->found[i];
        bool same = known->codes[0] == one && known->codes[1] == other;
        if (known->program == races->program && (same || (known->codes[0] == other && known->codes[1] == one)))
            return true;
    }
    return false;
}

static void note(struct races *races, unsigned earlier, unsigned later, uint64_t at, bool is_global)
{
    if (races->found_count < RACES_MAX && !is_known(races, earlier, later))
        races->found[races->found_count++] =
            (struct race){.program = races->program, .codes = {earlier, later}, .at = at, .is_global = is_global};
}

static unsigned warp_of(unsigned who)
{
    return who >= SEVERAL ? who : who & SEVERAL_OF ? who - SEVERAL_OF : who / WARP_LANES;
}

static uint16_t joined(unsigned who, unsigned item)
{
    if (who == NOBODY || who == item)
        return (uint16_t)item;
    return (uint16_t)(warp_of(who) == item / WARP_LANES ? SEVERAL_OF + item / WARP_LANES : SEVERAL);
}

/* Two lanes of one warp are ordered if the warp met between their accesses. */
static bool is_unordered(const struct races *races, unsigned who, uint32_t meeting, unsigned item)
{
    unsigned warp = item / WARP_LANES;
    return who != NOBODY && who != item && !(warp_of(who) == warp && meeting != races->meetings[warp]);
}

static void touch(struct races *races, unsigned code, unsigned item, unsigned kind, uint64_t at)
{
    struct touch *byte = &races->bytes[at];
    if (byte->interval != races->interval)
        *byte = (struct touch){.interval = races->interval, .writer = NOBODY, .reader = NOBODY};
    uint32_t meeting = races->meetings[item / WARP_LANES];
    bool both_atomic = kind == EVENT_ATOMIC && (byte->writer_code & EVENT_KIND) == EVENT_ATOMIC;
    if (!both_atomic && is_unordered(races, byte->writer, byte->writer_meeting, item))
        note(races, byte->writer_code, code, at, false);
    if (kind == EVENT_LOAD) {
        /* Lanes that read before their warp met come before this one, and before all that follow it. */
        bool is_ordered = warp_of(byte->reader) == item / WARP_LANES && byte->reader_meeting != meeting;
        byte->reader = joined(is_ordered ? NOBODY : byte->reader, item);
        byte->reader_code = code;
        byte->reader_meeting = meeting;
        return;
    }
    if (is_unordered(races, byte->reader, byte->reader_meeting, item))
        note(races, byte->reader_code, code, at, false);
    byte->writer = (uint16_t)item;
    byte->writer_code = code;
    byte->writer_meeting = meeting;
}

void races_add(struct races *races, unsigned code, unsigned warp, const struct warp_access *access)
{
    if (warp >= WARPS_MAX)
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned byte = 0; byte < access->bytes && access->mask >> lane & 1; byte++)
            if (access->at[lane] + byte < races->byte_count)
                touch(races, code, warp * WARP_LANES + lane, access->kind, access->at[lane] + byte);
}

/* ---- global memory ------------------------------------------------------------------------------------------- */

bool races_watch_global(struct races *races)
{
    races->places = 1 << 12;
    races->elements = calloc(races->places, sizeof *races->elements);
    return races->elements != NULL;
}

static struct element *place_of(struct element *elements, size_t places, uint64_t at)
{
    size_t i = at * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (places - 1);
    while (elements[i].interval && elements[i].at != at)
        i = (i + 1) & (places - 1);
    return &elements[i];
}

/* Only what was accessed since the last barrier is taken along. False when out of memory. */
static bool grow(struct races *races)
{
    const size_t places = 2 * races->places;
    struct element *larger = calloc(places, sizeof *larger);
    if (!larger)
        return false;
    races->taken = 0;
    for (size_t i = 0; i < races->places; i++)
        if (races->elements[i].interval == races->interval) {
            *place_of(larger, places, races->elements[i].at) = races->elements[i];
            races->taken++;
        }
    free(races->elements);
    races->elements = larger;
    races->places = places;
    return true;
}

static bool is_of_warp(unsigned who, unsigned warp)
{
    return who == NOBODY || warp_of(who) == warp;
}

/* Two items that both read an element and write it lose an update of one of them, in whatever order these run. */
static void access_element(struct races *races, unsigned code, unsigned item, unsigned kind, uint64_t at)
{
    struct element *element = place_of(races->elements, races->places, at);
    const unsigned warp = item / WARP_LANES;
    const uint32_t meeting = races->meetings[warp];
    const bool has_met =
        element->meeting != meeting && is_of_warp(element->writer, warp) && is_of_warp(element->reader, warp);
    races->taken += !element->interval;
    if (element->interval != races->interval || has_met)
        *element = (struct element){.at = at, .interval = races->interval, .writer = NOBODY, .reader = NOBODY};
    element->meeting = meeting;
    if (kind == EVENT_LOAD) {
        element->reader = joined(element->reader, item);
        return;
    }
    const bool has_read = element->reader == item || element->reader == SEVERAL || element->reader == SEVERAL_OF + warp;
    if (has_read && element->writer != NOBODY && element->writer != item)
        note(races, element->writer_code, code, at, true);
    element->writer = (uint16_t)item;
    element->writer_code = code;
}

void races_add_global(struct races *races, unsigned code, unsigned warp, const struct warp_access *access)
{
    if (!races->elements || warp >= WARPS_MAX || access->kind == EVENT_ATOMIC)
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (2 * races->taken >= races->places && !grow(races))
            return;
        if (access->mask >> lane & 1)
            access_element(races, code, warp * WARP_LANES + lane, access->kind, access->at[lane]);
    }
}

const struct race *races_found(const struct races *races, size_t *count)
{
    *count = races->found_count;
    return races->found;
}

#include "explain/memory/clashes.h"

#include <stdlib.h>
#include <string.h>

#include "base/growing.h"

struct write {
    uintptr_t at;  /* an address */
    size_t number; /* of writes in the order in which they came */
    uint32_t writer;
    uint8_t bytes;
    bool is_ordered;
    unsigned char value[8];
};

void clashes_free(struct clashes *clashes)
{
    free(clashes->writes);
    *clashes = (struct clashes){.writes = NULL};
}

bool clashes_add(struct clashes *clashes, uintptr_t address, unsigned bytes)
{
    for (unsigned done = 0; done < bytes; done += 8) {
        if (!array_grow(&clashes->writes, clashes->count, sizeof *clashes->writes))
            return false;
        clashes->writes[clashes->count] = (struct write){
            .at = address + done, .number = clashes->count, .bytes = (uint8_t)(bytes - done < 8 ? bytes - done : 8)};
        clashes->count++;
    }
    return true;
}

void clashes_settle(struct clashes *clashes, size_t writer)
{
    for (; clashes->settled < clashes->count; clashes->settled++) {
        struct write *write = &clashes->writes[clashes->settled];
        write->writer = (uint32_t)writer;
        write->is_ordered = clashes->is_ordered;
        memcpy(write->value, (const void *)write->at, write->bytes);
    }
    clashes->is_ordered = false;
}

static int by_place(const void *left, const void *right)
{
    const struct write *one = left, *other = right;
    return one->at != other->at ? (one->at > other->at) - (one->at < other->at)
                                : (one->number > other->number) - (one->number < other->number);
}

/* Whether either may be the last, and it matters. */
static bool clash(const struct write *one, const struct write *other)
{
    return one->writer != other->writer && one->bytes == other->bytes && !(one->is_ordered && other->is_ordered) &&
           memcmp(one->value, other->value, one->bytes) != 0;
}

static bool is_its_last(const struct write *write, const struct write *end)
{
    for (const struct write *later = write + 1; later < end; later++)
        if (later->writer == write->writer)
            return false;
    return true;
}

/* Writes to one element, of which the last one stays. */
static void swap(const struct write *writes, const struct write *end)
{
    for (const struct write *write = writes; write < end - 1; write++)
        if (clash(write, end - 1) && is_its_last(write, end)) {
            memcpy((void *)write->at, write->value, write->bytes);
            return;
        }
}

void clashes_swap(struct clashes *clashes)
{
    const struct write *writes = clashes->writes;
    if (clashes->count)
        qsort(clashes->writes, clashes->count, sizeof *writes, by_place);
    for (size_t first = 0, end = 0; first < clashes->count; first = end) {
        while (end < clashes->count && writes[end].at == writes[first].at)
            end++;
        swap(writes + first, writes + end);
    }
    clashes->count = clashes->settled = 0;
}

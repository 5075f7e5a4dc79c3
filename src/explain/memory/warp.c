/* Lanes of a warp run one after another; each records its basic blocks and accesses. A device runs lanes in lockstep.
 * So the lanes whose next event is first in program order take it together, and the others wait. Blocks lie in source
 * order, so diverged lanes reconverge where the source's paths do. */
#include <string.h>

#include "explain/memory/group.h"

uint64_t group_events_max = (uint64_t)1 << 27;

/* Collects the lanes that have events; `least` is their smallest number of events. False if a lane that can continue
 * has none. */
static bool find_lanes(const struct group_runner *runner, size_t first, size_t count, uint32_t *lanes, unsigned *least)
{
    *lanes = 0;
    *least = LANE_EVENTS;
    for (size_t i = 0; i < count; i++) {
        unsigned left = runner->lanes[i].count - runner->taken[i];
        if (left == 0 && runner->items[first + i].state == ITEM_RUNS)
            return false;
        if (left == 0)
            continue;
        *lanes |= (uint32_t)1 << i;
        *least = left < *least ? left : *least;
    }
    return *lanes != 0;
}

/* The number of leading events, at most `count`, that are equal in all these lanes. */
static unsigned common_events(const struct group_runner *runner, uint32_t lanes, unsigned count)
{
    int leader = __builtin_ctz(lanes);
    const unsigned *expected = runner->lanes[leader].code + runner->taken[leader];
    for (uint32_t left = lanes & (lanes - 1); left && count > 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        const unsigned *code = runner->lanes[i].code + runner->taken[i];
        if (memcmp(code, expected, count * sizeof *code) == 0)
            continue;
        unsigned same = 0;
        while (code[same] == expected[same])
            same++;
        count = same;
    }
    return count;
}

static void add_access(struct group_runner *runner, size_t first, unsigned code, uint32_t lanes, unsigned ahead)
{
    struct warp_access access = {.is_shared = !(code & EVENT_GLOBAL),
                                 .kind = code & EVENT_KIND,
                                 .bytes = 1u << (code & EVENT_SIZE),
                                 .mask = lanes};
    for (uint32_t left = lanes; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        access.at[i] = runner->lanes[i].at[runner->taken[i] + ahead];
        runner->hash = (runner->hash ^ access.at[i]) * 0x9e3779b97f4a7c15u;
    }
    runner->hash = (runner->hash ^ code ^ (uint64_t)lanes << 32) * 0x9e3779b97f4a7c15u;
    if (!tally_add(runner->tally, code, &access))
        runner->fault = GROUP_NO_MEMORY;
    if (runner->races)
        (access.is_shared ? races_add : races_add_global)(runner->races, code, (unsigned)(first / WARP_LANES), &access);
}

static void take(struct group_runner *runner, size_t first, unsigned code, uint32_t lanes, unsigned ahead)
{
    if ((code & EVENT_KIND) != EVENT_BLOCK)
        add_access(runner, first, code, lanes, ahead);
    else if (runner->tally)
        tally_add_block(runner->tally, code);
}

/* The lanes whose next event is first in program order. */
static uint32_t find_first(const struct group_runner *runner, uint32_t lanes, unsigned *code)
{
    uint32_t found = 0;
    *code = ~0u;
    for (uint32_t left = lanes; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        unsigned next = runner->lanes[i].code[runner->taken[i]];
        if (next < *code) {
            *code = next;
            found = 0;
        }
        if (next == *code)
            found |= (uint32_t)1 << i;
    }
    return found;
}

void warp_take_events(struct group_runner *runner, size_t first, size_t count)
{
    uint32_t lanes;
    unsigned least;
    while (find_lanes(runner, first, count, &lanes, &least) && runner->fault == GROUP_OK) {
        unsigned common = common_events(runner, lanes, least);
        runner->events += common + 1;
        if (runner->events > group_events_max)
            runner->fault = GROUP_ENDLESS;
        int leader = __builtin_ctz(lanes);
        const unsigned *codes = runner->lanes[leader].code + runner->taken[leader];
        for (unsigned i = 0; i < common; i++)
            take(runner, first, codes[i], lanes, i);
        if (common == 0) {
            unsigned code;
            lanes = find_first(runner, lanes, &code);
            take(runner, first, code, lanes, 0);
            common = 1;
        }
        for (uint32_t left = lanes; left; left &= left - 1)
            runner->taken[__builtin_ctz(left)] += common;
    }
}

#include "explain/occupancy/occupancy.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "architectures/allocation.h"
#include "base/translation.h"

#define WARP 32

const char *const occupancy_limit_keys[OCCUPANCY_LIMITS] = {
    [OCCUPANCY_BY_WARPS] = "warps",   [OCCUPANCY_BY_GROUPS] = "groups", [OCCUPANCY_BY_REGISTERS] = "registers",
    [OCCUPANCY_BY_SHARED] = "shared", [OCCUPANCY_BY_SIZE] = "size",     [OCCUPANCY_IMPOSSIBLE] = "impossible",
};

const char *const occupancy_limit_titles[OCCUPANCY_LIMITS] = {
    [OCCUPANCY_BY_WARPS] = N_("nothing else"),
    [OCCUPANCY_BY_GROUPS] = N_("the most groups that a multiprocessor takes"),
    [OCCUPANCY_BY_REGISTERS] = N_("registers"),
    [OCCUPANCY_BY_SHARED] = N_("local memory of the groups"),
    [OCCUPANCY_BY_SIZE] = N_("the group's size"),
    [OCCUPANCY_IMPOSSIBLE] = N_("a group does not fit"),
};

static int round_up(int value, int unit)
{
    return (value + unit - 1) / unit * unit;
}

static int limit_of(const struct capability *capability, enum capability_column column)
{
    return (int)capability->figures[column].value;
}

/* 1.x allocates registers per group, its warps rounded up to an even number. */
static int by_registers_of_group(const struct occupancy_request *request, const struct allocation *allocation,
                                 int warps, int registers)
{
    int of_group =
        round_up(round_up(warps, allocation->warp_unit) * request->registers * WARP, allocation->register_unit);
    return registers / of_group;
}

/* From 2.x on registers are allocated per warp, from the register file of the warp's multiprocessor partition. */
static int by_registers_of_warps(const struct occupancy_request *request, const struct allocation *allocation,
                                 int warps, int registers)
{
    int of_warp = round_up(request->registers * WARP, allocation->register_unit);
    int parts = allocation->warp_unit, assumed = of_warp * round_up(warps, parts);
    if (assumed > allocation->registers_of_group * 1024)
        return 0;
    return registers / parts / of_warp * parts / warps;
}

static int by_registers(const struct occupancy_request *request, const struct capability *capability,
                        const struct allocation *allocation, int warps)
{
    int registers = limit_of(capability, CAPABILITY_REGISTERS) * 1024;
    if (request->registers > allocation->registers_of_item)
        return 0;
    if (request->registers <= 0)
        return INT_MAX;
    /* What does not fit a multiprocessor of four parts (6.1) is not let run on one of two either: as the header says,
     * for compatibility within Pascal. */
    if (request->compute == 60 && by_registers_of_warps(request, allocation_of(61), warps, registers) == 0)
        return 0;
    return allocation->by_group ? by_registers_of_group(request, allocation, warps, registers)
                                : by_registers_of_warps(request, allocation, warps, registers);
}

static int by_shared(const struct occupancy_request *request, const struct capability *capability,
                     const struct allocation *allocation)
{
    size_t unit = (size_t)allocation->local_unit, needed = request->shared_bytes + (size_t)allocation->local_reserved;
    size_t most = (size_t)limit_of(capability, CAPABILITY_LOCAL_GROUP) * 1024;
    if (request->shared_bytes > most)
        return 0;
    needed = (needed + unit - 1) / unit * unit;
    return needed == 0 ? INT_MAX : (int)((size_t)limit_of(capability, CAPABILITY_LOCAL) * 1024 / needed);
}

/* Among limits that allow equally few groups, the first of the enumeration is named. */
static void choose(struct explain_occupancy *occupancy, int warps)
{
    occupancy->groups = INT_MAX;
    for (int limit = 0; limit < OCCUPANCY_IMPOSSIBLE; limit++)
        if (occupancy->by[limit] < occupancy->groups) {
            occupancy->groups = occupancy->by[limit];
            occupancy->limited_by = (enum occupancy_limit)limit;
        }
    if (occupancy->limited_by == OCCUPANCY_BY_WARPS && occupancy->groups * warps < occupancy->warps_max)
        occupancy->limited_by = OCCUPANCY_BY_SIZE;
    if (occupancy->groups == 0)
        occupancy->limited_by = OCCUPANCY_IMPOSSIBLE;
}

static void spread(const struct occupancy_request *request, struct explain_occupancy *occupancy)
{
    double room = (double)occupancy->groups * request->units, groups = (double)request->groups;
    if (room == 0 || groups == 0)
        return;
    occupancy->waves = groups / room;
    occupancy->efficiency = groups / request->units / ceil(groups / request->units);
    occupancy->tail = occupancy->waves - floor(occupancy->waves);
    if (occupancy->tail == 0)
        occupancy->tail = 1;
}

bool occupancy_of(const struct occupancy_request *request, struct explain_occupancy *occupancy)
{
    char version[16];
    snprintf(version, sizeof version, "%d.%d", request->compute / 10, request->compute % 10);
    const struct capability *capability = capability_by_version(version);
    const struct allocation *allocation = allocation_of(request->compute);
    *occupancy = (struct explain_occupancy){.warps = 0};
    if (!capability || !allocation || request->items == 0)
        return false;
    int warps = (int)((request->items + WARP - 1) / WARP), most = limit_of(capability, CAPABILITY_WARPS);
    bool fits = request->items <= (size_t)limit_of(capability, CAPABILITY_GROUP_ITEMS);
    occupancy->warps_max = most;
    occupancy->by[OCCUPANCY_BY_SIZE] = occupancy->by[OCCUPANCY_IMPOSSIBLE] = INT_MAX;
    occupancy->by[OCCUPANCY_BY_WARPS] = fits ? most / warps : 0;
    occupancy->by[OCCUPANCY_BY_GROUPS] = limit_of(capability, CAPABILITY_GROUPS);
    occupancy->by[OCCUPANCY_BY_REGISTERS] = by_registers(request, capability, allocation, warps);
    occupancy->by[OCCUPANCY_BY_SHARED] = by_shared(request, capability, allocation);
    choose(occupancy, warps);
    occupancy->warps = occupancy->groups * warps;
    spread(request, occupancy);
    return true;
}

size_t occupancy_better_sizes(const struct occupancy_request *request, size_t *items, size_t most)
{
    struct explain_occupancy now, other;
    int found[8], best;
    size_t count = 0;
    if (!occupancy_of(request, &now))
        return 0;
    best = now.warps;
    /* Only doubled sizes are tried: a small gain is not worth another shape. */
    for (size_t size = WARP; size <= 1024 && count < most && count < 8; size *= 2) {
        struct occupancy_request changed = *request;
        changed.items = size;
        changed.shared_bytes = request->shared_bytes * size / request->items;
        changed.groups = 0;
        if (size == request->items || !occupancy_of(&changed, &other) || other.warps <= best)
            continue;
        size_t at = count++;
        for (; at > 0 && found[at - 1] < other.warps; at--) {
            found[at] = found[at - 1];
            items[at] = items[at - 1];
        }
        found[at] = other.warps;
        items[at] = size;
    }
    return count;
}

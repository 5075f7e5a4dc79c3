/* Sources: CUDA C Programming Guide 4.2, appendix F.3 to F.5 (1.x, 2.x, 3.0); 6.5, appendix G.4 (3.x with and without
 * L1); 11 and later, appendix K (from 5.0 on). Wide words from 5.0 on follow measured hardware behaviour. */
#include "explain/memory/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing the rules ----------------------------------------------------------------------------------------- */

/* "9.0", "sm_90", "sm_90a": major times ten and minor; 0 for anything else. */
static int read_capability(const char *text)
{
    char *end;
    bool is_sm = strncmp(text, "sm_", 3) == 0;
    const char *digits = is_sm ? text + 3 : text;
    if (*digits < '1' || *digits > '9')
        return 0;
    long number = strtol(digits, &end, 10);
    if (is_sm)
        return number < 200 && (*end == '\0' || ((*end == 'a' || *end == 'f') && end[1] == '\0')) ? (int)number : 0;
    bool is_minor = end[0] == '.' && end[1] >= '0' && end[1] <= '9' && end[2] == '\0';
    return number < 20 && is_minor ? (int)(10 * number + end[1] - '0') : 0;
}

enum status memory_rules_of(const char *capability, enum l1_choice l1, bool banks_of_8, struct memory_rules *rules,
                            struct error *error)
{
    int version = read_capability(capability), major = version / 10;
    if (version < 10 || version > 129 || (major == 1 && version > 13) || major == 4)
        return fail(error, STATUS_INVALID, "%s is not a compute capability; 1.0 to 12.1 are, and sm_90 is 9.0",
                    capability);
    bool with_l1 = l1 == L1_ON || (l1 == L1_DEFAULT && major == 2), has_choice = major == 2 || major == 3;
    snprintf(rules->name, sizeof rules->name, "%d.%d%s%s", major, version % 10,
             !has_choice ? ""
             : with_l1   ? " with L1"
                         : " without L1",
             major == 3 && banks_of_8 ? ", banks of 8" : "");
    rules->coalescing = version <= 11 ? COALESCING_IN_ORDER
                        : major == 1  ? COALESCING_SEGMENTS
                        : major >= 5  ? COALESCING_SECTORS
                        : with_l1     ? COALESCING_LINES
                                      : COALESCING_SPLIT_SECTORS;
    rules->banking = major == 1                 ? BANKS_16
                     : major == 2               ? BANKS_32_2X
                     : major == 3 && banks_of_8 ? BANKS_32_3X_8
                     : major == 3               ? BANKS_32_3X_4
                                                : BANKS_32;
    return STATUS_OK;
}

/* ---- global memory ---------------------------------------------------------------------------------------------- */

/* The number of active lanes, if each has a higher address than the one before; 0 if not. */
static unsigned ascending_lanes(const struct warp_access *access, int first, int last)
{
    uint64_t above = 0;
    unsigned lanes = 0;
    for (int i = first; i < last; i++) {
        if (!(access->mask >> i & 1))
            continue;
        if (lanes > 0 && access->at[i] <= above)
            return 0;
        above = access->at[i];
        lanes++;
    }
    return lanes;
}

unsigned access_bytes_used(const struct warp_access *access, int first, int last)
{
    unsigned words = ascending_lanes(access, first, last);
    if (words > 0)
        return words * access->bytes;
    for (int i = first; i < last; i++) {
        bool is_new = access->mask >> i & 1;
        for (int j = first; j < i && is_new; j++)
            is_new = !(access->mask >> j & 1) || access->at[j] != access->at[i];
        words += is_new;
    }
    return words * access->bytes;
}

/* The number of distinct units of `unit` bytes that the lanes touch. */
static unsigned count_units(const struct warp_access *access, int first, int last, unsigned unit)
{
    uint64_t seen[2 * WARP_LANES];
    unsigned count = 0;
    for (int i = first; i < last; i++) {
        if (!(access->mask >> i & 1))
            continue;
        uint64_t from = access->at[i] / unit, to = (access->at[i] + access->bytes - 1) / unit;
        for (uint64_t at = from; at <= to; at++) {
            unsigned k = 0;
            while (k < count && seen[k] != at)
                k++;
            if (k == count)
                seen[count++] = at;
        }
    }
    return count;
}

unsigned access_atomic_sectors(const struct warp_access *access, uint64_t sectors[WARP_LANES])
{
    unsigned rounds[WARP_LANES], count = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        if (!(access->mask >> i & 1))
            continue;
        unsigned round = 0, k = 0;
        for (int j = 0; j < i; j++)
            round += (access->mask >> j & 1) && access->at[j] == access->at[i];
        while (k < count && (sectors[k] != access->at[i] / 32 || rounds[k] != round))
            k++;
        if (k == count) {
            sectors[count] = access->at[i] / 32;
            rounds[count++] = round;
        }
    }
    return count;
}

static unsigned active_lanes(const struct warp_access *access, int first, int last)
{
    uint64_t lanes = ((uint64_t)1 << last) - ((uint64_t)1 << first);
    return (unsigned)__builtin_popcount(access->mask & (uint32_t)lanes);
}

/* 1.0, 1.1: lane k accesses word k of an aligned segment of 64 or 128 bytes (of two of 128, for words of 16). Lanes may
 * be absent. */
static bool is_in_order(const struct warp_access *access, int first)
{
    unsigned bytes = access->bytes;
    if (bytes < 4)
        return false;
    uint64_t base = 0;
    bool begun = false;
    for (int i = 0; i < WARP_LANES / 2; i++) {
        if (!(access->mask >> (first + i) & 1))
            continue;
        uint64_t expected = access->at[first + i] - (uint64_t)i * bytes;
        if (begun && expected != base)
            return false;
        base = expected;
        begun = true;
    }
    return base % (bytes == 4 ? 64 : 128) == 0;
}

static void count_in_order(const struct warp_access *access, int first, struct access_counts *counts)
{
    if (access->kind != EVENT_ATOMIC && is_in_order(access, first)) {
        counts->transactions += access->bytes == 16 ? 2 : 1;
        counts->bytes_moved += 16 * access->bytes;
        return;
    }
    unsigned lanes = active_lanes(access, first, first + WARP_LANES / 2);
    counts->transactions += lanes;
    counts->bytes_moved += 32 * lanes;
}

/* 1.2, 1.3: the segment of the lowest lane, halved while all its lanes are in one half. */
static void count_segments(const struct warp_access *access, int first, struct access_counts *counts)
{
    unsigned whole = access->bytes == 1 ? 32 : access->bytes == 2 ? 64 : 128;
    uint32_t left = access->mask >> first & 0xffff;
    while (left) {
        uint64_t segment = access->at[first + __builtin_ctz(left)] / whole * whole;
        uint64_t low = UINT64_MAX, high = 0;
        for (int i = 0; i < WARP_LANES / 2; i++) {
            uint64_t at = access->at[first + i];
            if (!(left >> i & 1) || at / whole * whole != segment)
                continue;
            left &= ~((uint32_t)1 << i);
            low = at < low ? at : low;
            high = at + access->bytes - 1 > high ? at + access->bytes - 1 : high;
        }
        unsigned size = whole;
        while (size > 32 && low / (size / 2) == high / (size / 2))
            size /= 2;
        counts->transactions++;
        counts->bytes_moved += size;
    }
}

static void count_request(const struct memory_rules *rules, const struct warp_access *access, int first, int last,
                          struct access_counts *counts)
{
    if (active_lanes(access, first, last) == 0)
        return;
    counts->requests++;
    counts->bytes_used += access_bytes_used(access, first, last);
    if (rules->coalescing == COALESCING_IN_ORDER) {
        count_in_order(access, first, counts);
    } else if (rules->coalescing == COALESCING_SEGMENTS) {
        count_segments(access, first, counts);
    } else {
        unsigned unit = rules->coalescing == COALESCING_LINES && access->kind == EVENT_LOAD ? 128 : 32;
        uint64_t sectors[WARP_LANES];
        bool is_alone = rules->coalescing == COALESCING_SECTORS && access->kind == EVENT_ATOMIC;
        unsigned units = is_alone ? access_atomic_sectors(access, sectors) : count_units(access, first, last, unit);
        counts->transactions += units;
        counts->bytes_moved += units * unit;
    }
}

static int lanes_of_request(const struct memory_rules *rules, unsigned bytes)
{
    switch (rules->coalescing) {
    case COALESCING_IN_ORDER:
    case COALESCING_SEGMENTS:
        return WARP_LANES / 2;
    case COALESCING_LINES:
    case COALESCING_SPLIT_SECTORS:
        return bytes == 16 ? WARP_LANES / 4 : bytes == 8 ? WARP_LANES / 2 : WARP_LANES;
    case COALESCING_SECTORS:
        break;
    }
    return WARP_LANES;
}

void memory_rules_count(const struct memory_rules *rules, const struct warp_access *access,
                        struct access_counts *counts)
{
    *counts = (struct access_counts){0};
    if (access->is_shared) {
        banks_count(rules->banking, access, counts);
        return;
    }
    int lanes = lanes_of_request(rules, access->bytes);
    for (int first = 0; first < WARP_LANES; first += lanes)
        count_request(rules, access, first, first + lanes, counts);
}

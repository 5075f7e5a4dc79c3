#include "explain/memory/partitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX ((size_t)1 << 20) /* recorded: 48 MiB */

void partition_loads_free(struct partition_loads *loads)
{
    free(loads->groups);
    *loads = (struct partition_loads){.partitions = 0};
}

/* ---- recording -------------------------------------------------------------------------------------------------- */

void partition_begin_launch(struct partition_loads *loads, const char *entry, uint64_t groups)
{
    if (loads->launches < PARTITION_LAUNCHES) {
        snprintf(loads->entries[loads->launches], PARTITION_ENTRY_MAX, "%s", entry);
        loads->totals[loads->launches] = groups;
    }
    loads->launches++;
}

/* The group of the last row is the one that runs; a row of launch UINT32_MAX takes what is not recorded. */
void partition_begin_group(struct partition_loads *loads, uint64_t group)
{
    if (loads->partitions == 0 || loads->partitions > PARTITIONS_MAX || loads->launches == 0)
        return;
    if (loads->count == loads->capacity) {
        size_t capacity = loads->capacity ? 2 * loads->capacity : 256;
        struct group_load *groups = capacity <= GROUPS_MAX ? realloc(loads->groups, capacity * sizeof *groups) : NULL;
        if (!groups) { /* all that follows would be taken for the last group's */
            partition_loads_free(loads);
            return;
        }
        loads->groups = groups;
        loads->capacity = capacity;
    }
    loads->groups[loads->count++] = (struct group_load){.launch = loads->launches - 1, .group = group};
}

void partition_add(struct partition_loads *loads, const struct warp_access *access, double bytes)
{
    unsigned lanes = (unsigned)__builtin_popcount(access->mask);
    if (loads->count == 0 || lanes == 0)
        return;
    float *into = loads->groups[loads->count - 1].bytes;
    for (uint32_t left = access->mask; left; left &= left - 1) {
        uint64_t offset = access->at[__builtin_ctz(left)] & (((uint64_t)1 << SLOT_BITS) - 1);
        into[offset / PARTITION_BYTES % loads->partitions] += (float)(bytes / lanes);
    }
}

/* ---- waves ------------------------------------------------------------------------------------------------------ */

static int in_order(const void *left, const void *right)
{
    const struct group_load *a = left, *b = right;
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

struct sums {
    double busiest, even;
};

static void add_wave(const struct partition_loads *loads, size_t first, size_t end, struct sums *sums)
{
    double bytes[PARTITIONS_MAX] = {0}, most = 0, all = 0;
    for (size_t i = first; i < end; i++)
        for (unsigned p = 0; p < loads->partitions; p++)
            bytes[p] += loads->groups[i].bytes[p];
    for (unsigned p = 0; p < loads->partitions; p++) {
        all += bytes[p];
        most = bytes[p] > most ? bytes[p] : most;
    }
    sums->busiest += most;
    sums->even += all / loads->partitions;
}

/* The end of the neighbouring groups that begin with row `first`. */
static size_t end_of_run(const struct partition_loads *loads, size_t first)
{
    size_t end = first + 1;
    while (end < loads->count && loads->groups[end].launch == loads->groups[first].launch &&
           loads->groups[end].group == loads->groups[end - 1].group + 1)
        end++;
    return end;
}

double partition_imbalance(struct partition_loads *loads, const char *entry, double at_once)
{
    struct sums sums = {0, 0};
    size_t wave = at_once >= 1 ? (size_t)at_once : 1;
    if (loads->count == 0)
        return 0;
    qsort(loads->groups, loads->count, sizeof *loads->groups, in_order);
    for (size_t first = 0, end; first < loads->count; first = end) {
        uint32_t launch = loads->groups[first].launch;
        end = end_of_run(loads, first);
        if (launch >= PARTITION_LAUNCHES || strcmp(loads->entries[launch], entry) != 0)
            continue;
        size_t at = first;
        for (; end - at >= wave; at += wave)
            add_wave(loads, at, at + wave, &sums);
        bool is_last_wave = loads->groups[end - 1].group + 1 == loads->totals[launch] &&
                            (at > first || loads->groups[first].group == 0);
        if (at < end && is_last_wave)
            add_wave(loads, at, end, &sums);
    }
    return sums.even > 0 ? sums.busiest / sums.even : 0;
}

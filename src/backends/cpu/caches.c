/* The processor's data caches, as the system reports them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cache_size.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/machine.h"
#include "base/processors.h"

#define CACHE_GUESS ((size_t)32 << 20)
#define CACHE_INDICES 8 /* more than any processor has */

/* Reads data cache number `index` of processor `cpu`: its level (0 when there is no such cache, or it holds
 * instructions only), its bytes, and who shares it. */
static uint64_t read_cache(int cpu, int index, uint64_t *bytes, char *shared, size_t size)
{
    char folder[96], path[128], text[32];
    uint64_t kilobytes = 0;
    snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, index);
    snprintf(path, sizeof path, "%s/level", folder);
    uint64_t level = machine_read_number(path);
    snprintf(path, sizeof path, "%s/type", folder);
    if (!machine_read_line(path, text, sizeof text) || strcmp(text, "Instruction") == 0)
        return 0;
    snprintf(path, sizeof path, "%s/size", folder);
    if (!machine_read_line(path, text, sizeof text) || sscanf(text, "%" SCNu64 "K", &kilobytes) != 1)
        return 0;
    *bytes = kilobytes << 10;
    snprintf(path, sizeof path, "%s/shared_cpu_list", folder);
    if (!machine_read_line(path, shared, size))
        snprintf(shared, size, "%d", cpu);
    return level;
}

/* Bytes of the highest-level data cache that processor `cpu` sees, and who shares it; 0 when the system is silent. */
static size_t last_cache(int cpu, char *shared, size_t size)
{
    uint64_t highest = 0, bytes = 0, seen;
    char sharers[256];
    for (int i = 0; i < CACHE_INDICES; i++) {
        uint64_t level = read_cache(cpu, i, &seen, sharers, sizeof sharers);
        if (level <= highest)
            continue;
        highest = level;
        bytes = seen;
        snprintf(shared, size, "%s", sharers);
    }
    return (size_t)bytes;
}

/* How many processors of ours a list such as "0-3,8" names. */
static int count_ours(const char *list)
{
    int width, count = 0, from, to, length;
    cpu_set_t *set = processors_mask(&width);
    while (set && sscanf(list, "%d%n", &from, &length) == 1) {
        list += length;
        to = from;
        if (sscanf(list, "-%d%n", &to, &length) == 1)
            list += length;
        for (int cpu = from; cpu <= to && cpu < width; cpu++)
            count += CPU_ISSET_S((size_t)cpu, CPU_ALLOC_SIZE((size_t)width), set) != 0;
        list += *list == ',';
    }
    if (set)
        CPU_FREE(set);
    return count > 0 ? count : 1;
}

/* The lowest processor that we may run on. */
static int first_of_ours(void)
{
    int width, first = 0;
    cpu_set_t *set = processors_mask(&width);
    while (set && first < width - 1 && !CPU_ISSET_S((size_t)first, CPU_ALLOC_SIZE((size_t)width), set))
        first++;
    if (set)
        CPU_FREE(set);
    return first;
}

static int read_property(int cpu, int index, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, name);
    return (int)machine_read_number(path);
}

bool cpu_cache_level(int level, struct cpu_cache *cache)
{
    char shared[256];
    uint64_t bytes = 0;
    int cpu = first_of_ours();
    for (int i = 0; i < CACHE_INDICES; i++)
        if (read_cache(cpu, i, &bytes, shared, sizeof shared) == (uint64_t)level && bytes) {
            *cache = (struct cpu_cache){.bytes = (size_t)bytes,
                                        .sharers = count_ours(shared),
                                        .ways = read_property(cpu, i, "ways_of_associativity"),
                                        .line = read_property(cpu, i, "coherency_line_size")};
            return true;
        }
    return false;
}

/* A cache counts once, at the first processor of ours that shares it; lists name the lowest processor first. */
static size_t sum_last_caches(void)
{
    size_t total = 0;
    int width;
    char before[256] = "", shared[256] = "";
    cpu_set_t *set = processors_mask(&width);
    for (int cpu = 0; set && cpu < width; cpu++) {
        if (!CPU_ISSET_S((size_t)cpu, CPU_ALLOC_SIZE((size_t)width), set))
            continue;
        size_t bytes = last_cache(cpu, shared, sizeof shared);
        if (strcmp(shared, before) != 0)
            total += bytes;
        memcpy(before, shared, sizeof before);
    }
    if (set)
        CPU_FREE(set);
    if (total)
        return total;
    long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return told > 0 ? (size_t)told : CACHE_GUESS;
}

/* The reported size, or the measured one where the report exceeds this machine's share. */
static size_t find_cache_bytes(void)
{
    char boot[64];
    struct cpu_cache second = {0};
    const size_t told = sum_last_caches();
    const int processors = machine_processors();
    if (!cache_size_is_doubtful(told, processors))
        return told;
    cpu_cache_level(2, &second);
    if (!machine_read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot))
        return cache_size_measure(second.bytes, told);
    return cache_size_kept(cache_size_measure, second.bytes, told, processors, boot);
}

static _Atomic size_t known;

/* Two threads that both look find much the same. */
void cpu_cache_find(void)
{
    if (!known)
        known = find_cache_bytes();
}

/* Without files: what the processor itself reports, at most what is plausible for the processors that there are. */
static size_t estimate(void)
{
    static _Atomic size_t estimated;
    size_t bytes = estimated;
    if (bytes)
        return bytes;
    const long third = sysconf(_SC_LEVEL3_CACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const size_t processors = processors_available();
    bytes = third > 0 ? (size_t)third : second > 0 ? (size_t)second * processors : CACHE_GUESS;
    if (cache_size_is_doubtful(bytes, (int)processors))
        bytes = CACHE_GUESS;
    estimated = bytes;
    return bytes;
}

size_t cpu_cache_bytes(void)
{
    const size_t bytes = known;
    return bytes ? bytes : estimate();
}

size_t cpu_own_cache_bytes(void)
{
    static _Atomic size_t read = SIZE_MAX;
    if (read == SIZE_MAX) {
        struct cpu_cache second = {0};
        cpu_cache_level(2, &second);
        read = second.bytes;
    }
    return read;
}

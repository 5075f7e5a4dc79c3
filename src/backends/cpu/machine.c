#include "backends/cpu/machine.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "base/text.h"

#define CACHE_GUESS ((size_t)32 << 20)
#define CACHE_INDICES 8 /* more than any processor has */

/* ---- what the system's files say ---- */

/* The first line, without its end; false when there is no such file. */
static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool read = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (read)
        line[strcspn(line, "\n")] = 0;
    return read;
}

/* A number at the start of the file; 0 when there is none ("max"). */
static uint64_t read_number(const char *path)
{
    char line[64];
    uint64_t value = 0;
    if (read_line(path, line, sizeof line) && sscanf(line, "%" SCNu64, &value) != 1)
        value = 0;
    return value;
}

/* The value of the first line "key : value" in /proc/cpuinfo. */
static bool read_cpuinfo(const char *key, char *value, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[4096];
    bool found = false;
    if (!file)
        return false;
    size_t length = strlen(key);
    while (!found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, length) != 0 ||
            strspn(line + length, " \t") != (size_t)(colon - line) - length)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        found = true;
    }
    fclose(file);
    return found;
}

/* ---- processors and memory ---- */

/* The mask is as wide as the kernel wants it: machines with more than CPU_SETSIZE processors exist. */
static cpu_set_t *affinity(int *width)
{
    for (*width = CPU_SETSIZE; *width <= CPU_SETSIZE << 6; *width *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)*width);
        if (!set)
            return NULL;
        if (sched_getaffinity(0, CPU_ALLOC_SIZE((size_t)*width), set) == 0)
            return set;
        CPU_FREE(set);
    }
    return NULL;
}

int machine_processors(void)
{
    int width, count = 0;
    cpu_set_t *set = affinity(&width);
    if (set) {
        count = CPU_COUNT_S(CPU_ALLOC_SIZE((size_t)width), set);
        CPU_FREE(set);
    }
    return count > 0 ? count : 1;
}

uint64_t machine_memory_bytes(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint64_t limit = read_number(limits[i]);
        if (limit && (limit < bytes || !bytes))
            bytes = limit;
    }
    return bytes;
}

/* ---- caches ---- */

/* Bytes of the highest-level data cache that processor `cpu` sees, and who shares it; 0 when the system is silent. */
static size_t last_cache(int cpu, char *shared, size_t size)
{
    uint64_t highest = 0, bytes = 0;
    for (int i = 0; i < CACHE_INDICES; i++) {
        char folder[96], path[128], text[32];
        snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, i);
        snprintf(path, sizeof path, "%s/level", folder);
        uint64_t level = read_number(path), kilobytes = 0;
        snprintf(path, sizeof path, "%s/type", folder);
        if (level <= highest || !read_line(path, text, sizeof text) || strcmp(text, "Instruction") == 0)
            continue;
        snprintf(path, sizeof path, "%s/size", folder);
        if (!read_line(path, text, sizeof text) || sscanf(text, "%" SCNu64 "K", &kilobytes) != 1)
            continue;
        snprintf(path, sizeof path, "%s/shared_cpu_list", folder);
        if (!read_line(path, shared, size))
            snprintf(shared, size, "%d", cpu);
        highest = level;
        bytes = kilobytes << 10;
    }
    return (size_t)bytes;
}

/* A cache counts once, at the first processor of ours that shares it; lists name the lowest processor first. */
static size_t sum_last_caches(void)
{
    size_t total = 0;
    int width;
    char before[256] = "", shared[256] = "";
    cpu_set_t *set = affinity(&width);
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

/* Asked before every copy, so it is found once; two threads that both look find the same. */
size_t cpu_cache_bytes(void)
{
    static _Atomic size_t known;
    size_t bytes = known;
    if (!bytes)
        known = bytes = sum_last_caches();
    return bytes;
}

/* ---- the whole ---- */

static uint32_t clock_mhz(void)
{
    char text[64];
    double mhz;
    uint64_t khz = read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    if (khz)
        return (uint32_t)(khz / 1000);
    if (read_cpuinfo("cpu MHz", text, sizeof text) && sscanf(text, "%lf", &mhz) == 1)
        return (uint32_t)mhz;
    return 0;
}

static void describe_isa(struct device_properties *properties)
{
    static const struct {
        const char *text;
        uint32_t floats;
    } sets[] = {
        [CPU_ISA_BASE] = {"baseline instructions", 4},
        [CPU_ISA_AVX2] = {"AVX2, FMA", 8},
        [CPU_ISA_AVX512] = {"AVX-512 (F, BW, DQ, VL), AVX2, FMA", 16},
        [CPU_ISA_NEON] = {"NEON", 4},
    };
    snprintf(properties->version, sizeof properties->version, "%s", sets[cpu_isa()].text);
    properties->warp_items = sets[cpu_isa()].floats;
}

void machine_describe(struct device_properties *properties)
{
    struct utsname system;
    bool known = uname(&system) == 0;
    if (!read_cpuinfo("model name", properties->name, sizeof properties->name) &&
        !read_line("/sys/firmware/devicetree/base/model", properties->name, sizeof properties->name))
        snprintf(properties->name, sizeof properties->name, "%s processor", known ? system.machine : "unknown");
    if (!read_cpuinfo("vendor_id", properties->vendor, sizeof properties->vendor))
        read_cpuinfo("CPU implementer", properties->vendor, sizeof properties->vendor);
    if (known)
        snprintf(properties->driver, sizeof properties->driver, "%s %s", system.sysname, system.release);
    describe_isa(properties);
    properties->is_cpu = true;
    properties->unified_memory = true;
    properties->has_double = true;
    properties->units = (uint32_t)machine_processors();
    properties->memory_bytes = machine_memory_bytes();
    properties->cache_bytes = cpu_cache_bytes();
    properties->clock_mhz = clock_mhz();
}

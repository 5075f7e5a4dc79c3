#include "backends/cpu/machine.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "base/processors.h"
#include "base/text.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* ---- what the system's files say ---- */

bool machine_read_line(const char *path, char *line, size_t size)
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

uint64_t machine_read_number(const char *path)
{
    char line[64];
    uint64_t value = 0;
    if (machine_read_line(path, line, sizeof line) && sscanf(line, "%" SCNu64, &value) != 1)
        value = 0;
    return value;
}

bool machine_read_cpuinfo(const char *key, char *value, size_t size)
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

int machine_processors(void)
{
    int width, count = 0;
    cpu_set_t *set = processors_mask(&width);
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
        uint64_t limit = machine_read_number(limits[i]);
        if (limit && (limit < bytes || !bytes))
            bytes = limit;
    }
    return bytes;
}

/* ---- the whole ---- */

/* The highest clock of a processor that this process may use, in kHz: processors of one machine differ. */
static uint64_t highest_khz(const char *root, const cpu_set_t *usable, int width)
{
    uint64_t highest = 0;
    for (int cpu = 0; cpu < width; cpu++) {
        char path[PATH_MAX];
        if (!CPU_ISSET_S((size_t)cpu, CPU_ALLOC_SIZE(width), usable))
            continue;
        snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/cpufreq/cpuinfo_max_freq", root, cpu);
        uint64_t khz = machine_read_number(path);
        highest = khz > highest ? khz : highest;
    }
    return highest;
}

/* The same from /proc/cpuinfo, where a clock follows its processor's number; in MHz. */
static double highest_mhz(const char *root, const cpu_set_t *usable, int width)
{
    char line[4096];
    snprintf(line, sizeof line, "%s/proc/cpuinfo", root);
    FILE *file = fopen(line, "r");
    int cpu = 0;
    double mhz, highest = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "processor : %d", &cpu) != 1 && sscanf(line, "cpu MHz : %lf", &mhz) == 1 && cpu >= 0 &&
            cpu < width && CPU_ISSET_S((size_t)cpu, CPU_ALLOC_SIZE(width), usable) && mhz > highest)
            highest = mhz;
    if (file)
        fclose(file);
    return highest;
}

uint32_t machine_clock_mhz(const char *root, const cpu_set_t *usable, int width)
{
    const uint64_t khz = highest_khz(root, usable, width);
    return (uint32_t)(khz ? (double)khz / 1000 : highest_mhz(root, usable, width));
}

static uint32_t clock_mhz(void)
{
    int width;
    cpu_set_t *usable = processors_mask(&width);
    const uint32_t mhz = usable ? machine_clock_mhz("", usable, width) : 0;
    if (usable)
        CPU_FREE(usable);
    return mhz;
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

/* The model's name, as /proc/cpuinfo has it; false where the machine does not say. */
#if defined(__x86_64__)
#define NAME_WORDS 12

/* Of AMD's processors, from the signature in leaf 1; 0 for others. */
static unsigned amd_family(void)
{
    unsigned signature = 0, unused, vendor[3] = {0};
    if (!__get_cpuid(0, &unused, &vendor[0], &vendor[2], &vendor[1]) || memcmp(vendor, "AuthenticAMD", 12) != 0 ||
        !__get_cpuid(1, &signature, &unused, &unused, &unused))
        return 0;
    return (signature >> 8 & 15) + (signature >> 20 & 255);
}

/* From the processor: /proc/cpuinfo is long on a machine of many processors. Virtual machines may hide the model ("AMD
 * EPYC"): then the family is added, as what suits one does not suit another. */
static bool read_name(char *name, size_t size)
{
    unsigned words[NAME_WORDS + 1] = {0};
    if (__get_cpuid_max(0x80000000, NULL) < 0x80000004)
        return false;
    for (size_t i = 0; i < NAME_WORDS / 4; i++)
        __cpuid(0x80000002 + (unsigned)i, words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]);
    const char *text = (const char *)words + strspn((const char *)words, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    const bool is_hidden = strcspn(text, "0123456789") >= length && amd_family() > 0;
    snprintf(name, size, "%.*s", (int)length, text);
    if (is_hidden)
        text_append(name, size, " (family %u)", amd_family());
    return length > 0;
}
#else
static bool read_name(char *name, size_t size)
{
    return machine_read_cpuinfo("model name", name, size) ||
           machine_read_line("/sys/firmware/devicetree/base/model", name, size);
}
#endif

void machine_describe_bare(struct device_properties *properties)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct utsname system;
    if (!read_name(properties->name, sizeof properties->name))
        snprintf(properties->name, sizeof properties->name, "%s processor",
                 uname(&system) == 0 ? system.machine : "unknown");
    describe_isa(properties);
    properties->is_cpu = true;
    properties->unified_memory = true;
    properties->has_double = true;
    properties->units = (uint32_t)processors_available();
    properties->cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    properties->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    properties->cache_bytes = cpu_cache_bytes();
}

void machine_describe(struct device_properties *properties)
{
    cpu_cache_find();
    machine_describe_bare(properties);
    struct utsname system;
    char code[16];
    if (!machine_read_cpuinfo("vendor_id", properties->vendor, sizeof properties->vendor) &&
        machine_read_cpuinfo("CPU implementer", code, sizeof code))
        snprintf(properties->vendor, sizeof properties->vendor, "%s", cpu_implementer(code));
    if (uname(&system) == 0)
        snprintf(properties->driver, sizeof properties->driver, "%s %s", system.sysname, system.release);
    properties->units = (uint32_t)machine_processors();
    properties->memory_bytes = machine_memory_bytes();
    properties->clock_mhz = clock_mhz();
}

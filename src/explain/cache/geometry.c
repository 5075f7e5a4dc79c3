#include "explain/cache/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/machine.h"

#define STAND_IN "Zen 3"
#define SMALL_PAGE 4096
#define APPLE_PAGE 16384

static void set_core(const char *name, struct cache_geometry *geometry)
{
    geometry->core_share = 1;
    geometry->core = cpu_core_by_name(name);
    geometry->is_core_assumed = !geometry->core;
    if (!geometry->core)
        geometry->core = cpu_core_by_name(STAND_IN);
}

double cache_core_share(const struct cpu_core *core, double clock, double issued)
{
    return clock > 0 && issued > 0 ? fmin(1, issued / (clock * core->issue)) : 1;
}

void cache_geometry_of(const struct cpu_caches *caches, int threads, struct cache_geometry *geometry)
{
    unsigned shared = caches->cores < (unsigned)threads ? caches->cores : (unsigned)threads;
    *geometry = (struct cache_geometry){.line = caches->line,
                                        .small_page = strncmp(caches->name, "Apple", 5) == 0 ? APPLE_PAGE : SMALL_PAGE};
    snprintf(geometry->name, sizeof geometry->name, "%s", caches->name);
    set_core(caches->name, geometry);
    for (int i = 0; i < CACHE_LEVELS; i++) {
        geometry->levels[i] = (struct cache_level){.bytes = (size_t)caches->levels[i].kib << 10,
                                                   .ways = caches->levels[i].ways,
                                                   .sharers = i == CACHE_LEVELS - 1 ? shared : 1,
                                                   .is_victim = i == CACHE_LEVELS - 1 && caches->is_victim};
        geometry->clocks[i] = caches->clocks[i];
    }
    geometry->pages[0] = (struct cache_pages){caches->pages.entries, caches->pages.ways, caches->large_pages.entries,
                                              caches->large_pages.ways};
    geometry->pages[1] = (struct cache_pages){caches->second_pages.entries, caches->second_pages.ways, 0, 0};
}

static const struct cpu_caches *family_here(void)
{
    char vendor[64], family[16], model[16];
    const struct cpu_family *found = NULL;
    if (machine_read_cpuinfo("vendor_id", vendor, sizeof vendor) &&
        machine_read_cpuinfo("cpu family", family, sizeof family) && machine_read_cpuinfo("model", model, sizeof model))
        found = cpu_family_find(vendor, atoi(family), atoi(model));
    return found ? cpu_caches_by_name(found->name) : NULL;
}

void cache_geometry_here(int threads, struct cache_geometry *geometry)
{
    const struct cpu_caches *family = family_here();
    long page = sysconf(_SC_PAGESIZE);
    cache_geometry_of(family ? family : cpu_caches_by_name(STAND_IN), threads, geometry);
    snprintf(geometry->name, sizeof geometry->name, "%s", family ? family->name : "this CPU");
    geometry->is_core_assumed |= !family;
    geometry->small_page = page > 0 ? (size_t)page : SMALL_PAGE;
    for (int i = 0; i < CACHE_LEVELS; i++) {
        struct cpu_cache cache;
        struct cache_level *level = &geometry->levels[i];
        if (!cpu_cache_level(i + 1, &cache))
            continue;
        level->bytes = cache.bytes;
        level->ways = cache.ways > 0 ? (unsigned)cache.ways : level->ways;
        geometry->line = cache.line > 0 ? (unsigned)cache.line : geometry->line;
        if (i == CACHE_LEVELS - 1) {
            level->sharers = cache.sharers < threads ? (unsigned)cache.sharers : (unsigned)threads;
            level->bytes = cpu_cache_bytes() < cache.bytes ? cpu_cache_bytes() : cache.bytes;
        }
    }
}

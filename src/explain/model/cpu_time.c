#include "explain/model/cpu_time.h"

#include <math.h>

/* Assumed for every CPU; no ceiling measures them. */
#define MEMORY_NS 100.0   /* latency of a load from memory */
#define PAGE_CLOCKS 30.0  /* a page walk; most of its tables are in the caches */
#define SECOND_CLOCKS 7.0 /* a hit in the second-level TLB */
#define CONFLICT 0.4      /* share of a latency in which a set of the first cache is busy with a line (measured on Zen 3) */
#define WALKS 4.0         /* concurrent page walks */
#define REGION_NS 3000.0  /* entering and leaving a parallel region of two threads (measured on Zen 3) */

/* The rate of one thread if the rung has one, of all threads otherwise. */
static double rate_of(const struct model_request *request, enum explain_ceiling ceiling)
{
    const struct explain_target *target = request->target;
    if (request->caches->threads == 1 && target->one_thread[ceiling] > 0)
        return target->one_thread[ceiling];
    return target->ceilings[ceiling];
}

static void set(struct explain_model *model, enum explain_resource resource, double ns)
{
    model->ns[resource] = ns;
    model->is_known[resource] = true;
}

/* Lines that a level supplies: fills of the level before it, less those from further out. Written lines are counted
 * alike. */
static double lines_of(const struct cache_traffic *traffic, int level)
{
    double from = (double)traffic->fills[level - 1];
    double further = level < CACHE_LEVELS ? (double)traffic->fills[level] : 0;
    double written = (double)traffic->writes[level - 1];
    double beyond = level < CACHE_LEVELS ? (double)traffic->writes[level] : 0;
    return fmax(0, from - further) + fmax(0, written - beyond);
}

/* Each line is charged once, at the rate of the level that supplies it. */
static void time_lines(const struct model_request *request, struct explain_model *model)
{
    static const struct {
        enum explain_resource resource;
        enum explain_ceiling ceiling;
    } levels[] = {{RESOURCE_L2, EXPLAIN_L2_READ}, {RESOURCE_L3, EXPLAIN_L3_READ}};
    const struct explain_caches *caches = request->caches;
    double line = caches->geometry.line;
    for (int i = 0; i < 2; i++) {
        double rate = rate_of(request, levels[i].ceiling);
        double bytes = lines_of(&caches->traffic, i + 1) * line;
        if (rate <= 0 || !caches->geometry.levels[i + 1].bytes)
            continue;
        set(model, levels[i].resource, bytes / rate);
    }
    double read = (double)caches->traffic.fills[2] * line;
    double written = (double)caches->traffic.writes[2] * line + (double)caches->traffic.bypassed;
    bool writes = written > 0.01 * read;
    double rate = rate_of(request, writes ? EXPLAIN_DRAM_COPY : EXPLAIN_DRAM_READ);
    model->dram_bytes = read + written;
    if (rate > 0)
        set(model, RESOURCE_DRAM, model->dram_bytes / rate);
}

/* A miss without a prefetch costs latency, less the work that the core has in flight meanwhile. `waits` gets the time
 * for each level that supplies lines. */
static void time_waits(const struct model_request *request, double clock, struct explain_model *model,
                       double waits[CACHE_LEVELS])
{
    const struct explain_caches *caches = request->caches;
    const struct cache_traffic *most = &caches->most;
    const struct cpu_core *core = caches->geometry.core;
    double instructions = fmax(caches->busiest.instructions, 1), sum = 0;
    double hidden = core->window * caches->busiest.core_clocks / instructions / clock;
    const double latencies[] = {caches->geometry.clocks[1] / clock, caches->geometry.clocks[2] / clock, MEMORY_NS};
    for (int i = 0; i < CACHE_LEVELS; i++) {
        waits[i] = most->stalls[i] * fmax(0, latencies[i] - hidden) + most->conflicts[i] * latencies[i] * CONFLICT;
        sum += waits[i];
    }
    set(model, RESOURCE_LATENCY, sum);
    double walks = (double)most->page_walks, found = (double)most->page_misses - walks;
    double at_once = core->window * (walks + found) / instructions;
    double translation = (walks * PAGE_CLOCKS + found * SECOND_CLOCKS) / clock;
    set(model, RESOURCE_PAGES, translation / fmin(fmax(at_once, 1), WALKS));
}

/* A line on its way between the caches keeps the core from its own accesses, so both times add up (the model's rule for
 * what does not overlap). A level's bandwidth and the waits for it are the same lines: the longer counts. */
void explain_cpu_time(const struct model_request *request, struct explain_model *model)
{
    static const enum explain_resource levels[] = {RESOURCE_L2, RESOURCE_L3, RESOURCE_DRAM};
    const struct explain_caches *caches = request->caches;
    double clock = rate_of(request, EXPLAIN_CLOCK), waits[CACHE_LEVELS];
    model->moved_bytes = (double)caches->traffic.fills[0] * caches->geometry.line + (double)caches->traffic.bypassed;
    if (clock <= 0)
        return;
    time_lines(request, model);
    set(model, RESOURCE_ISSUE, caches->busiest.core_clocks / clock);
    time_waits(request, clock, model, waits);
    if (caches->threads > 1 && caches->regions > 0)
        set(model, RESOURCE_LAUNCH, caches->regions * REGION_NS);
    if (!model->is_known[RESOURCE_DRAM] || caches->is_partial)
        return;
    model->predicted_ns = model->ns[RESOURCE_ISSUE] + model->ns[RESOURCE_PAGES] + model->ns[RESOURCE_LAUNCH];
    for (int i = 0; i < CACHE_LEVELS; i++)
        model->predicted_ns += fmax(model->ns[levels[i]], waits[i]);
}

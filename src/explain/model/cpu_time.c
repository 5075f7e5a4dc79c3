#include "explain/model/cpu_time.h"

#include <math.h>

/* Assumed for every CPU; no ceiling measures them. */
#define MEMORY_NS 100.0   /* latency of a load from memory */
#define PAGE_CLOCKS 30.0  /* a page walk; most of its tables are in the caches */
#define SECOND_CLOCKS 7.0 /* a hit in the second-level TLB */
#define CONFLICT 0.4      /* share of a latency in which a set of L1 takes one line (measured on Zen 3) */
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

/* Lines that go between two levels: all into L1 by the rate of the second one, those from beyond the
 * second one by the rate of the third, and those of memory. */
static void time_lines(const struct model_request *request, struct explain_model *model)
{
    const struct explain_caches *caches = request->caches;
    const struct cache_traffic *traffic = &caches->traffic;
    const double rates[] = {rate_of(request, EXPLAIN_L2_READ), rate_of(request, EXPLAIN_L3_READ)};
    static const enum explain_resource resources[] = {RESOURCE_L2, RESOURCE_L3};
    double line = caches->geometry.line;
    for (int i = 0; i < 2; i++) {
        double beyond = i > 0 ? traffic->fills[2] : 0;
        double lines = fmax(0, traffic->fills[i] - beyond) + traffic->writes[i];
        if (rates[i] > 0 && caches->geometry.levels[i + 1].bytes)
            set(model, resources[i], lines * line / rates[i]);
    }
    double read = traffic->fills[2] * line;
    double written = traffic->writes[2] * line + traffic->bypassed;
    bool writes = written > 0.01 * read;
    double rate = rate_of(request, writes ? EXPLAIN_DRAM_COPY : EXPLAIN_DRAM_READ);
    model->dram_bytes = read + written;
    if (rate > 0)
        set(model, RESOURCE_DRAM, model->dram_bytes / rate);
}

/* A miss without a prefetch costs latency, less the work that the core has in flight meanwhile. Lines that wait for
 * others of their set come while instructions go on: they cost what they take longer than these. */
static void time_waits(const struct model_request *request, double clock, struct explain_model *model)
{
    const struct explain_caches *caches = request->caches;
    const struct cache_traffic *most = &caches->most;
    const struct cpu_core *core = caches->geometry.core;
    double instructions = fmax(caches->busiest.instructions, 1), stalls = 0, conflicts = 0;
    double hidden = core->window * caches->busiest.core_clocks / instructions / clock;
    const double latencies[] = {caches->geometry.clocks[1] / clock, caches->geometry.clocks[2] / clock, MEMORY_NS};
    for (int i = 0; i < CACHE_LEVELS; i++) {
        stalls += most->stalls[i] * fmax(0, latencies[i] - hidden);
        conflicts += most->conflicts[i] * fmin(latencies[i], latencies[1]) * CONFLICT;
    }
    set(model, RESOURCE_LATENCY, stalls + fmax(0, conflicts - model->ns[RESOURCE_ISSUE]));
    double walks = most->page_walks, found = most->page_misses - walks;
    double at_once = core->window * (walks + found) / instructions;
    double translation = (walks * PAGE_CLOCKS + found * SECOND_CLOCKS) / clock;
    set(model, RESOURCE_PAGES, translation / fmin(fmax(at_once, 1), WALKS));
}

/* What a core does itself adds up: instructions, lines into its L1, waits. Prefetchers bring lines from beyond
 * the second cache meanwhile, so the longest of the three ways counts (Hofmann and others, 2020, for Zen). */
void explain_cpu_time(const struct model_request *request, struct explain_model *model)
{
    const struct explain_caches *caches = request->caches;
    double clock = rate_of(request, EXPLAIN_CLOCK);
    model->moved_bytes = caches->traffic.fills[0] * caches->geometry.line + caches->traffic.bypassed;
    if (clock <= 0)
        return;
    time_lines(request, model);
    set(model, RESOURCE_ISSUE, caches->busiest.core_clocks / clock);
    time_waits(request, clock, model);
    if (caches->threads > 1 && caches->regions > 0)
        set(model, RESOURCE_LAUNCH, caches->regions * REGION_NS);
    if (!model->is_known[RESOURCE_DRAM] || caches->is_partial)
        return;
    const double *ns = model->ns;
    double core = ns[RESOURCE_ISSUE] + ns[RESOURCE_L2] + ns[RESOURCE_LATENCY] + ns[RESOURCE_PAGES];
    model->predicted_ns = fmax(core, fmax(ns[RESOURCE_L3], ns[RESOURCE_DRAM])) + ns[RESOURCE_LAUNCH];
}

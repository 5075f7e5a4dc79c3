#include "explain/step_caches.h"

#include <math.h>

#include "base/translation.h"
#include "explain/step_text.h"

#define SHARE_LEAST 0.1     /* of the predicted time: a resource that takes less changes little */
#define MISTAKE_CLOCKS 15.0 /* of a mispredicted branch, about: to tell whether such branches matter */

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double share_of(const struct explanation *explanation, enum explain_resource resource)
{
    return share(explanation->model.ns[resource], explanation->model.predicted_ns);
}

/* Every resource does where no time is predicted. */
static bool matters(const struct explanation *before, const struct explanation *after, enum explain_resource resource)
{
    if (before->model.predicted_ns <= 0 || after->model.predicted_ns <= 0)
        return true;
    return fmax(share_of(before, resource), share_of(after, resource)) >= SHARE_LEAST;
}

static double clocks_of(const struct explanation *explanation)
{
    const struct cache_work *busiest = &explanation->caches.busiest;
    return share(busiest->core_clocks, busiest->instructions);
}

/* Of a thousand instructions; fewer than matter count as none. */
static double mistakes_of(const struct explanation *explanation)
{
    const struct cache_work *busiest = &explanation->caches.busiest;
    bool matter = busiest->mispredicted * MISTAKE_CLOCKS >= SHARE_LEAST * busiest->core_clocks;
    return matter ? 1000 * share(busiest->mispredicted, busiest->instructions) : 0;
}

static double lines_of(const struct explanation *explanation)
{
    return (double)explanation->caches.traffic.fills[0];
}

static double waits_of(const struct explanation *explanation)
{
    const struct cache_traffic *most = &explanation->caches.most;
    double waits = 0;
    for (int i = 0; i < CACHE_LEVELS; i++)
        waits += most->stalls[i] + most->conflicts[i];
    return waits;
}

static double pages_of(const struct explanation *explanation)
{
    return (double)explanation->caches.most.page_misses;
}

static void add_core(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    step_add_change(text, size, N_("threads: %s → %s"), before->caches.threads, after->caches.threads);
    if (!matters(before, after, RESOURCE_ISSUE))
        return;
    step_add_ratio(text, size, N_("%s × fewer instructions"), N_("%s × as many instructions"),
                   before->caches.all.instructions, after->caches.all.instructions);
    step_add_change(text, size, N_("clocks an instruction: %s → %s"), clocks_of(before), clocks_of(after));
    step_add_change(text, size, N_("mispredicted branches of 1000 instructions: %s → %s"), mistakes_of(before),
                    mistakes_of(after));
}

static void add_memory(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    if (matters(before, after, RESOURCE_L2))
        step_add_ratio(text, size, N_("%s × fewer lines into L1"), N_("%s × as many lines into L1"), lines_of(before),
                       lines_of(after));
    if (matters(before, after, RESOURCE_LATENCY))
        step_add_ratio(text, size, N_("%s × fewer waits for lines"), N_("%s × as many waits for lines"),
                       waits_of(before), waits_of(after));
    if (matters(before, after, RESOURCE_DRAM))
        step_add_ratio(text, size, N_("%s × fewer bytes of memory"), N_("%s × as many bytes of memory"),
                       before->model.dram_bytes, after->model.dram_bytes);
    if (matters(before, after, RESOURCE_PAGES))
        step_add_ratio(text, size, N_("%s × fewer address translations"), N_("%s × as many address translations"),
                       pages_of(before), pages_of(after));
}

void step_add_caches(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    bool is_known = before->caches.site_count > 0 && after->caches.site_count > 0;
    if (!is_known || before->caches.is_partial || after->caches.is_partial)
        return;
    add_core(before, after, text, size);
    add_memory(before, after, text, size);
}

/* Where a simulation's caches come from: this machine, or the tables. */
#pragma once

#include "architectures/caches.h"
#include "explain/cache/simulator.h"

/* Of a processor of the tables, for as many threads, one on each core. */
void cache_geometry_of(const struct cpu_caches *caches, int threads, struct cache_geometry *geometry);

/* Of this machine: sizes, ways and sharers as the system reports them (the last cache's size as measured, where the
 * report is doubtful); translation buffers and latencies of the tables by the processor's family, those of Zen 3 where
 * it is not there. */
void cache_geometry_here(int threads, struct cache_geometry *geometry);

/* The part of a core's width that a thread has, at most 1: what it was measured to issue (10^9 instructions a second)
 * of what the core issues at its clock (GHz). Another program's thread may run on the same core, unseen by a virtual
 * machine. 1 where one of the two is unknown (0). */
double cache_core_share(const struct cpu_core *core, double clock, double issued);

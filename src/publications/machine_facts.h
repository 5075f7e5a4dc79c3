/* A machine's facts from the store, in the form of published ones. */
#pragma once

#include "publications/reproduction.h"
#include "store/store.h"

/* The host's facts ("cpu", "os", "threads", "memory"), its devices' as the machine has them, and what follows from
 * those and from measured ceilings (NULL: none): "cache_kb", "local_kb_per_unit", "memory_gb_s", "balance" (operations
 * for each byte that memory gives). Of a GPU in the tables of architectures also what these have: "cores_per_unit" and
 * the like by compute capability, "fp64_gflops_per_watt" and the like by name. The host's cores are "cores". The caller
 * frees *facts with free(); on failure (no memory) there is nothing to free. */
enum status machine_facts_make(const struct machine *machine, const struct ceiling_list *ceilings,
                               struct here_fact **facts, size_t *count, struct error *error);

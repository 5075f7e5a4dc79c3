/* The sums of a trace's accesses and basic blocks: one row per place in the program, array and kind of access. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "explain/memory/accesses.h"
#include "explain/memory/partitions.h"
#include "explain/memory/revisits.h"
#include "explain/memory/traced_program.h"

/* Of whole launches: the traced ones times the number of groups that each traced group represents. */
struct tally_row {
    unsigned code; /* of its events; EVENT_BLOCK: how often warps executed a basic block, as warp_accesses */
    int argument;  /* of the kernel function, or NO_ARGUMENT; in shared memory, the offset of its first access */
    const struct traced_program *program;
    char entry[64];             /* the kernel function of that argument */
    struct explain_access sums; /* without its place and its name */
};

struct tally;

/* Makes a tally by 1 … EXPLAIN_RULES_MAX rule sets, which are copied. NULL when out of memory. */
struct tally *tally_create(const struct memory_rules *rules, size_t rule_count);
void tally_free(struct tally *tally); /* NULL is fine */

/* Starts a launch; starts its group number `group`, which represents `weight` groups. The following accesses belong to
 * them. */
void tally_begin_launch(struct tally *tally, const struct traced_program *program, const struct launch *launch);
void tally_begin_group(struct tally *tally, uint64_t group, double weight);

/* Adds an access of a warp. `access->at` are offsets in the arena, or in shared memory. False when out of memory. */
bool tally_add(struct tally *tally, unsigned code, const struct warp_access *access);

/* Adds an execution of a basic block by a warp; more blocks than there is room for are left out. */
void tally_add_block(struct tally *tally, unsigned code);

/* The rows, unordered; valid until the next access. */
const struct tally_row *tally_rows(const struct tally *tally, size_t *count);

/* What the traced groups move from and to each memory partition, by the first rule set. */
struct partition_loads *tally_partitions(struct tally *tally);

/* Runs of neighbouring groups, which count for nothing else. False: the launch's function needs none. */
bool tally_begin_revisits(struct tally *tally, const struct launch *launch);
void tally_begin_run(struct tally *tally, int dimension, size_t run);
void tally_end_revisits(struct tally *tally);
struct revisits *tally_revisits(struct tally *tally);

/* Accesses of lanes that were recorded, unweighted. */
uint64_t tally_recorded(const struct tally *tally);

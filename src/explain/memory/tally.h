/* The sums of a trace's accesses: a row for each place in the program, array and kind of access. */
#ifndef USKOR_EXPLAIN_MEMORY_TALLY_H
#define USKOR_EXPLAIN_MEMORY_TALLY_H

#include "backends/backend.h"
#include "explain/memory/rules.h"

#define TALLY_RULES_MAX 4
#define NO_ARGUMENT (-1)

/* Counts are of whole launches: the traced ones, times the number of groups that each traced group represents. */
struct tally_counts {
    double requests, transactions, bytes_moved, bytes_used, conflicts;
};

struct tally_row {
    unsigned code; /* of its events */
    int argument;  /* of the kernel function, or NO_ARGUMENT; in shared memory: the offset of its first access there */
    const struct traced_program *program;
    char entry[64]; /* the kernel function whose argument it is */
    struct tally_counts counts[TALLY_RULES_MAX];
    double warp_accesses, lane_accesses;
    double first_sectors;      /* of global memory that the group had not touched before */
    struct warp_access sample; /* the first access with the most lanes at work */
    uint64_t argument_bytes;   /* of the argument's buffer */
    double lines;              /* of 128 bytes of global memory, each once for each access of a warp */
};

struct tally;

/* Makes a tally by these rules, 1 … TALLY_RULES_MAX of them; NULL when memory is out. */
struct tally *tally_create(const struct memory_rules *rules, size_t rule_count);
void tally_free(struct tally *tally); /* NULL is fine */

/* The following accesses belong to this launch, and to a group of it that represents `weight` groups. */
void tally_begin_launch(struct tally *tally, const struct traced_program *program, const struct launch *launch);
void tally_begin_group(struct tally *tally, double weight);

/* An access of a warp; `access->at` are offsets in the arena, or in shared memory. False when memory is out. */
bool tally_add(struct tally *tally, unsigned code, const struct warp_access *access);

/* Rows in no order; valid until the next access. */
const struct tally_row *tally_rows(const struct tally *tally, size_t *count);

/* Accesses of lanes that were recorded, unweighted. */
uint64_t tally_recorded(const struct tally *tally);

#endif

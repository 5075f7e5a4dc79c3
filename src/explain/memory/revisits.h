/* Memory that several groups of a launch touch, and how far apart in the launch's order these groups are: whether L2
 * still has it is for the model to say. Runs of neighbouring groups along each dimension are traced for this; they
 * count for nothing else. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "explain/memory/footprint.h"

#define REVISIT_RUN 16     /* neighbouring groups of a run, at most */
#define REVISIT_LAUNCHES 8 /* kernel functions that are looked at */
#define REVISIT_ARGUMENTS 32
#define REVISIT_LINE 128 /* bytes: the unit in which L2 has room */

/* Of one argument and either loads or stores, along each dimension. */
struct revisit_counts {
    double touched[3], different[3]; /* sectors: each once for every group of the run; each once */
    double stored[3];                /* bytes */
};

/* Of one kernel function. */
struct revisit_launch {
    char entry[64];
    size_t groups[3], run[3]; /* of the launch; of the run along each dimension, 0: there was none */
    struct revisit_counts counts[REVISIT_ARGUMENTS][2]; /* [1]: stores and atomic operations */
    double lines[3], different_lines[3];                /* of all arguments */
};

/* Zeroed, it is empty. */
struct revisits {
    struct revisit_launch *launches; /* malloc'ed */
    size_t count;
    struct footprint group[3], run[3]; /* sectors that are loaded, that are stored, and lines */
    int dimension;                     /* of the run that is traced */
};

void revisits_free(struct revisits *revisits);

/* False where the function was looked at before, or too many were. */
bool revisits_begin_launch(struct revisits *revisits, const char *entry, const size_t groups[3]);
void revisits_begin_run(struct revisits *revisits, int dimension, size_t run);
void revisits_begin_group(struct revisits *revisits);

/* Of a group of the run. False when memory is out. */
bool revisits_add(struct revisits *revisits, const struct warp_access *access, int argument, bool is_store);

/* Of the kernel function; NULL: it was not looked at. */
const struct revisit_launch *revisits_of(const struct revisits *revisits, const char *entry);

/* How often an argument's sectors come from memory in one launch, behind a cache of so many bytes: 1 where every group
 * that touches them finds them there. `is_partial` says whether stores leave part of a sector to groups that come when
 * the cache has evicted it: it is then read before it is written. */
double revisits_from_memory(const struct revisit_launch *launch, int argument, bool is_store, double cache,
                            bool *is_partial);

/* Which measurements of two lists are to be compared with each other. */
#pragma once

#include "store/measurement.h"

/* The measurements of one list that are one thing measured again and again: one of each run, in the list's order. */
struct side {
    const struct measurement **items;
    size_t count;
};

struct probe_pair {
    struct side a, b;
};

/* One thing on both sides (one of them may be empty), and the probes of its problem and device. */
struct pair {
    size_t scene; /* place of the first measurement of its problem and device, in A, or behind A in B */
    size_t place; /* of its own first one */
    struct side a, b;
    const struct probe_pair *probes;
    size_t probe_count;
};

struct matching {
    struct pair *items; /* by problem and device, in A's order, then what only B has */
    size_t count;
    struct entry *entries; /* what the rest points into */
    const struct measurement **pointers;
    struct probe_pair *probes;
};

/* Pairs rungs of the same problem, device and cache state: by their parameters, or, where each side has only one set of
 * them, whatever they are. The lists must outlive the pairing, which the caller frees. */
enum status matching_make(const struct measurement_list *a, const struct measurement_list *b, struct matching *pairing,
                          struct error *error);
void matching_free(struct matching *pairing);

/* The last of a side's measurements; NULL when it has none. */
const struct measurement *side_newest(const struct side *side);

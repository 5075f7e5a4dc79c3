/* A cause that costs a device rung time, and a search for such causes. */
#pragma once

#include "explain/what_if.h"

enum explain_cause_kind {
    CAUSE_UNCOALESCED, /* neighbouring items are apart in memory by a fixed distance */
    CAUSE_PAGES,       /* … by 64 KiB and more */
    CAUSE_SCATTERED,   /* … by what the data say */
    CAUSE_BANKS,
    CAUSE_FP64, /* double precision where the problem has none */
    CAUSE_SPILLS,
    CAUSE_LOCAL_ARRAY,
    CAUSE_RECURSION, /* stacks of called functions */
    CAUSE_ATOMICS,   /* to few addresses of global memory */
    CAUSE_SHARED_ATOMICS,
    CAUSE_DIVERGENCE,
    CAUSE_DIVISION, /* of integers */
    CAUSE_NARROW,   /* words of 1 to 4 bytes */
    CAUSE_REUSE,    /* the same bytes from L2, again and again */
    CAUSE_OCCUPANCY,
    CAUSE_FEW_ITEMS, /* the launch does not fill the device */
    CAUSE_CHAIN,     /* each waits for the one before it */
    CAUSE_BARRIERS,
    CAUSE_SPECIAL, /* roots, exponentials, divisions of floats, conversions */
    CAUSE_GROUPS,  /* starts of groups with little work */
    CAUSE_TAIL,
    CAUSE_LAUNCH,
    CAUSES,
};

struct explain_cause {
    enum explain_cause_kind kind;
    size_t kernel; /* in compiled.kernels */
    int line;      /* 0: of no line */
    char array[64];
    enum explain_operation operation;
    enum explain_space space;
    double before, after; /* what the kind counts: sectors or passes a request, bytes, operations, warps, percent */
    double weight;        /* transactions of the line */
    double distance;      /* bytes from an item to its neighbour */
    double predicted_ns;  /* with the remedy */
    double gain;          /* of the prediction without it, over that */
};

#define CAUSES_FOUND_MAX 64

struct cause_search {
    const struct explanation_request *request;
    const struct explanation *explanation;
    struct explain_cause found[CAUSES_FOUND_MAX];
    size_t count;
};

/* The next one to fill in; NULL when there are too many. */
static inline struct explain_cause *cause_add(struct cause_search *search, enum explain_cause_kind kind, size_t kernel)
{
    if (search->count == CAUSES_FOUND_MAX)
        return NULL;
    struct explain_cause *cause = &search->found[search->count++];
    *cause = (struct explain_cause){.kind = kind, .kernel = kernel};
    return cause;
}

/* Causes that instructions, the launch's shape and the model's times show. */
void causes_of_code(struct cause_search *search);
/* Changes the counts as the remedy would; nothing where the cause is not one of these. */
void cause_remedy_code(struct what_if *what_if, const struct explain_cause *cause);

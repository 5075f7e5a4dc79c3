/* How many transactions an access of a warp becomes, and how many bank conflicts it has: the rules that NVIDIA
 * published for each compute capability (docs/explain.md names the guides). */
#ifndef USKOR_EXPLAIN_MEMORY_RULES_H
#define USKOR_EXPLAIN_MEMORY_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "explain/memory/lane.h"

/* Global memory. */
enum coalescing {
    COALESCING_IN_ORDER, /* 1.0, 1.1: a half-warp's words in order in one segment, or a transaction for each */
    COALESCING_SEGMENTS, /* 1.2, 1.3: a transaction for each segment that a half-warp touches, made as small as can be
                          */
    COALESCING_LINES,    /* 2.x, 3.x with L1: loads by lines of 128 bytes, stores by segments of 32 */
    COALESCING_SPLIT_SECTORS, /* 2.x, 3.x without: segments of 32 bytes; wide words by half- or quarter-warps */
    COALESCING_SECTORS,       /* from 5.0 on: sectors of 32 bytes, an instruction of a warp is one request */
};

/* Shared memory. */
enum banking {
    BANKS_16,    /* 1.x: 16 banks of 4 bytes, by half-warps, one word broadcast at a time */
    BANKS_32_2X, /* 2.x: 32 banks of 4 bytes; words of 8 bytes by half-warps, of 16 by quarters and with a pass more */
    BANKS_32_3X_4, /* 3.x: 32 banks of 8 bytes, mapped by words of 4 */
    BANKS_32_3X_8, /* … by words of 8 */
    BANKS_32,      /* from 5.0 on: 32 banks of 4 bytes; words of 8 bytes by half-warps, of 16 by quarters */
};

struct memory_rules {
    char name[32]; /* "2.0 with L1" */
    enum coalescing coalescing;
    enum banking banking;
};

/* Which of two ways 2.x and 3.x work: in 2.x L1 is on unless it is switched off, in 3.x it is the other way round, and
 * banks are mapped by words of 4 bytes. */
enum l1_choice {
    L1_DEFAULT,
    L1_ON,
    L1_OFF,
};

/* The rules of a compute capability, "9.0" or "sm_90"; STATUS_INVALID for what was never one. L1 and the width of banks
 * matter in 2.x and 3.x only. */
enum status memory_rules_of(const char *capability, enum l1_choice l1, bool banks_of_8, struct memory_rules *rules,
                            struct error *error);

/* One access of a warp: the lanes of `mask` touch `bytes` (1, 2, 4, 8 or 16) at their addresses. */
struct warp_access {
    bool is_shared;
    unsigned kind; /* EVENT_LOAD, EVENT_STORE or EVENT_ATOMIC */
    unsigned bytes;
    uint32_t mask;
    uint64_t at[WARP_LANES];
};

struct access_counts {
    unsigned requests;     /* an access of a half-warp, a warp or a part of it, as the rules have it */
    unsigned transactions; /* of global memory; passes over the banks of shared memory */
    unsigned bytes_moved;
    unsigned bytes_used; /* of those, by some lane, each counted once a request */
    unsigned conflicts;  /* passes beyond those that the width of the words asks for */
};

void memory_rules_count(const struct memory_rules *rules, const struct warp_access *access,
                        struct access_counts *counts);

/* Of the lanes from `first` to before `last`: bytes that some lane touches, each once. Words overlap only where they
 * are equal, as kernels' words are aligned; where they are not, a byte may count twice. */
unsigned access_bytes_used(const struct warp_access *access, int first, int last);

#endif

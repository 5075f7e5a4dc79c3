/* The transactions and bank conflicts of a warp's access, by the rules that NVIDIA published for each compute
 * capability (docs/explain.md cites the guides). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "explain/memory/lane.h"

/* Global memory. */
enum coalescing {
    COALESCING_IN_ORDER, /* 1.0, 1.1: one transaction if a half-warp's words are in order in one segment; otherwise one
                            per word */
    COALESCING_SEGMENTS, /* 1.2, 1.3: one transaction per segment that a half-warp touches, halved while only one half
                            is used */
    COALESCING_LINES,    /* 2.x, 3.x with L1: loads by lines of 128 bytes, stores by segments of 32 */
    COALESCING_SPLIT_SECTORS, /* 2.x, 3.x without L1: segments of 32 bytes; wide words by half- or quarter-warps */
    COALESCING_SECTORS,       /* from 5.0 on: sectors of 32 bytes; one warp instruction is one request */
};

/* Shared memory. */
enum banking {
    BANKS_16,      /* 1.x: 16 banks of 4 bytes, by half-warps, one word broadcast at a time */
    BANKS_32_2X,   /* 2.x: 32 banks of 4 bytes; 8-byte words by half-warps, 16-byte words by quarters with one pass more
                    */
    BANKS_32_3X_4, /* 3.x: 32 banks of 8 bytes, mapped by words of 4 */
    BANKS_32_3X_8, /* … by words of 8 */
    BANKS_32,      /* from 5.0 on: 32 banks of 4 bytes; 8-byte words by half-warps, 16-byte words by quarters */
};

struct memory_rules {
    char name[32]; /* "2.0 with L1" */
    enum coalescing coalescing;
    enum banking banking;
    unsigned partitions; /* of the GPU's memory, where addresses tell them (1.x); 0: not counted */
};

/* Whether 2.x and 3.x use L1 for global loads. By default 2.x does and 3.x does not, and 3.x maps banks by 4-byte
 * words. */
enum l1_choice {
    L1_DEFAULT,
    L1_ON,
    L1_OFF,
};

/* Returns the rules of a compute capability, "9.0" or "sm_90". `l1` and `banks_of_8` only matter for 2.x and 3.x.
 * STATUS_INVALID for a capability that never existed. */
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
    unsigned requests;     /* of a half-warp, a warp or a part of it, by the rules */
    unsigned transactions; /* in shared memory: passes over the banks */
    unsigned bytes_moved;
    unsigned bytes_used; /* of these, bytes that some lane uses, each once per request */
    unsigned conflicts;  /* passes beyond those that the words' width requires */
};

void memory_rules_count(const struct memory_rules *rules, const struct warp_access *access,
                        struct access_counts *counts);

/* The sectors of an atomic operation's requests: lanes with the same address make one each. Returns their number. */
unsigned access_atomic_sectors(const struct warp_access *access, uint64_t sectors[WARP_LANES]);

/* Bytes that the lanes [first, last) use, each once. It assumes aligned words, which overlap only when equal; an
 * unaligned byte may count twice. */
unsigned access_bytes_used(const struct warp_access *access, int first, int last);

/* Adds the passes over the banks of shared memory, and the bank conflicts. */
void banks_count(enum banking banking, const struct warp_access *access, struct access_counts *counts);

/* What one access to global memory costs the first cache, from 7.0 on. */
struct l1_counts {
    unsigned lines;  /* of 128 bytes, each once */
    unsigned passes; /* through the cache, a clock each */
};

/* Counts an access of a warp; {0, 0} for one to shared memory. Tags have four banks, so a clock looks up at most four
 * lines, each in a bank of its own. Of these lines a pass delivers one word of each of the 32 banks of data. The bank
 * of a tag is a hash of the line's number, which was found from Nsight Compute's counters on an H200
 * (results/h200/explain-l1-passes.txt): addresses count from the 256 bytes that the first active lane is in. */
struct l1_counts l1_count(const struct warp_access *access);

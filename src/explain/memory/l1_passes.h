/* What one access to global memory costs the first cache, from 7.0 on. */
#pragma once

#include "explain/memory/rules.h"

struct l1_counts {
    unsigned lines;  /* of 128 bytes, each once */
    unsigned passes; /* through the cache, a clock each */
};

/* Counts an access of a warp; {0, 0} for one to shared memory. Tags have four banks, so a clock looks up at most four
 * lines, each in a bank of its own. Of these lines a pass delivers one word of each of the 32 banks of data. The bank
 * of a tag is a hash of the line's number, which was found from Nsight Compute's counters on an H200
 * (results/h200/explain-l1-passes.txt): addresses count from the 256 bytes that the first active lane is in. */
struct l1_counts l1_count(const struct warp_access *access);

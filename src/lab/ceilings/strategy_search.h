/* Finds the fastest of several strategies: one or two trials of each, then the best ones again, in turns. */
#pragma once

#include <stddef.h>

struct strategy_trial {
    size_t count; /* strategies, at least 1 */
    /* The time of one run of that strategy, ns; negative when it cannot run. `whole`: over all bytes; otherwise over a
     * representative part. */
    double (*run)(void *context, size_t strategy, int whole);
    void *context;
    double
        budget; /* ns of the final heat, after at least one run of each finalist; the first heat may take some more */
};

/* Returns the index of the strategy with the shortest run; 0 when none can run. Noise only makes a run longer, so the
 * minimum is the strategy's own time. */
size_t strategy_search(const struct strategy_trial *trial);

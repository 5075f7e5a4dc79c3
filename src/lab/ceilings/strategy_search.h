/* Finds the fastest of several strategies by trying them: all once or twice, the better ones again, in turns. */
#ifndef USKOR_LAB_CEILINGS_STRATEGY_SEARCH_H
#define USKOR_LAB_CEILINGS_STRATEGY_SEARCH_H

#include <stddef.h>

struct strategy_trial {
    size_t count; /* strategies, at least 1 */
    /* Nanoseconds of one run of that strategy; `whole`: over all bytes, else a part of them that suffices. Less
     * than 0: it cannot run. */
    double (*run)(void *context, size_t strategy, int whole);
    void *context;
    double budget; /* ns that the last heat may take, after at least one run of each that is left; the first may take
                      some more */
};

/* The strategy with the shortest run. Noise makes a run longer, never shorter, so the shortest is the
 * strategy's own time. 0 when none can run. */
size_t strategy_search(const struct strategy_trial *trial);

#endif

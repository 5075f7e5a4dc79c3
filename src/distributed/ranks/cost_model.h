/* The predicted time of a run over ranks, from latency, bandwidth and one rank's compute time (R. W. Hockney's model of
 * messages; a rank computes, then communicates). Nothing is fitted to measured times over several ranks. */
#ifndef USKOR_DISTRIBUTED_RANKS_COST_MODEL_H
#define USKOR_DISTRIBUTED_RANKS_COST_MODEL_H

#include "distributed/ranks/method.h"

struct link {
    double latency;          /* ns of an empty message */
    double bytes_per_second; /* of a long message */
};

/* Collective: measures messages between the first and the last rank, while the others rest. All zero with one rank. */
enum status link_measure(const struct ranks *ranks, struct link *link, struct error *error);

/* The predicted ns on `count` ranks, where one rank takes `alone` ns. */
double cost_predict(const struct method *method, const struct problem *problem, int count, double alone,
                    const struct link *link);

#endif

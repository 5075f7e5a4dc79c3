/* What a run over ranks should take, by latency, bandwidth and the computing of one rank (R. W. Hockney's model of
 * messages; a rank computes, then communicates). Nothing in it is fitted to a method's measured times over several
 * ranks.
 */
#ifndef USKOR_DISTRIBUTED_RANKS_COST_MODEL_H
#define USKOR_DISTRIBUTED_RANKS_COST_MODEL_H

#include "distributed/ranks/method.h"

struct link {
    double latency;          /* nanoseconds of an empty message */
    double bytes_per_second; /* of a long one */
};

/* Collective: messages to and fro between the first and the last rank, while the others rest. One rank: all zero. */
enum status link_measure(const struct ranks *ranks, struct link *link, struct error *error);

/* Nanoseconds on `count` ranks, where one takes `alone` nanoseconds. */
double cost_predict(const struct method *method, const struct problem *problem, int count, double alone,
                    const struct link *link);

#endif

#include "distributed/ranks/cost_model.h"

#include <math.h>

/* How many messages follow one another in an operation of so many ranks. */
static double steps_of(enum mpi_operation operation, int count)
{
    return operation == OPERATION_REDUCE ? fmax(tree_steps(count), 1) : operation == OPERATION_EXCHANGE ? count - 1 : 1;
}

/* More ranks than were measured: more of the shortest messages, and as much time for each byte. */
static double time_of(const struct links *links, enum mpi_operation operation, double bytes, int count)
{
    const double brief = links_time(links, operation, 0), whole = links_time(links, operation, bytes);
    const double steps = steps_of(operation, count) / steps_of(operation, links->ranks);
    return brief * fmax(steps, 1) + whole - brief;
}

double cost_of_traffic(const struct traffic *traffic, int count, const struct links *links)
{
    double all = 0;
    for (int kind = 0; kind < OPERATION_KINDS && links->ranks > 1; kind++)
        if (traffic->of[kind].calls > 0)
            all += traffic->of[kind].calls * time_of(links, (enum mpi_operation)kind, traffic->of[kind].bytes, count);
    return all;
}

double cost_predict(const struct method *method, const struct problem *problem, int count, double parts,
                    int parts_count, const struct links *links)
{
    const struct traffic traffic = method->traffic(problem, count), measured = method->traffic(problem, parts_count);
    const double computing = measured.work > 0 ? parts * traffic.work / measured.work : parts;
    double sending = cost_of_traffic(&traffic, count, links);
    /* what MPI moves meanwhile costs no time of its own */
    sending -= links->progress * fmin(traffic.overlaps * sending, computing);
    return computing + sending;
}

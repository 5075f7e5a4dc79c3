/* What a method asks of MPI: the cost model's view of it. */
#pragma once

/* Kinds of operations. Each is measured with all ranks of a group taking part (links.h). */
enum mpi_operation {
    OPERATION_REDUCE,   /* sums of whole numbers, for all ranks */
    OPERATION_EXCHANGE, /* of all ranks with all; bytes that a rank sends to all others together */
    OPERATION_NEAR,     /* a message to the next rank, often on the same host */
    OPERATION_FAR,      /* a message half of all ranks away: to another host, where there are several */
    OPERATION_RING,     /* a message to each of two neighbours, and one from each */
    OPERATION_FAR_RING, /* the same with both ranks half of all away */
    OPERATION_KINDS,
};

/* The cost of a run of `count` ranks for the busiest rank. */
struct traffic {
    double work; /* its share of one rank's work, 0 …: how its own part's time changes with the number of ranks */
    struct {
        double calls, bytes; /* how often, and bytes of one call */
    } of[OPERATION_KINDS];
    double overlaps; /* the part of its communication that is under way while ranks compute, 0 … 1 */
};

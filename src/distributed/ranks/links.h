/* The measured times of MPI's operations: the cost model's input. All ranks of the group take part in each, so adapters
 * and memory that ranks share show in them, and links within a host beside those between hosts. */
#pragma once

#include "backends/backend.h"
#include "distributed/ranks/ranks.h"
#include "distributed/ranks/traffic.h"

#define LINK_SIZES 6
extern const size_t link_sizes[LINK_SIZES]; /* bytes, ascending */

struct links {
    int ranks, on_host; /* ranks of the group, and at most so many on one host; ranks = 0: nothing was measured */
    double ns[OPERATION_KINDS][LINK_SIZES]; /* of the slowest rank */
    double progress;                        /* part of a long message that travels while its ranks compute, 0 … 1 */
};

/* Collective: takes about so many seconds. */
enum status links_measure(const struct ranks *ranks, double seconds, struct links *links, struct error *error);

/* ns of one operation, by a line between the measured sizes, and on beyond the last. */
double links_time(const struct links *links, enum mpi_operation operation, double bytes);

/* The link of methods that exchange by NCCL, for their predictions. */

/* Collective: times exchanges of all ranks with all by NCCL, and writes them to links->ns[OPERATION_EXCHANGE]; all
 * other operations are MPI's, and are kept. STATUS_UNAVAILABLE on every rank, with the reason, without NCCL;
 * STATUS_SYSTEM when an exchange broke: the others may wait in it. */
enum status nccl_link_measure(const struct ranks *ranks, struct device *device, struct links *links,
                              struct error *error);

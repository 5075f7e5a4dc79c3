/* The link of methods that exchange by NCCL, for their predictions. */
#ifndef USKOR_DISTRIBUTED_RANKS_NCCL_LINK_H
#define USKOR_DISTRIBUTED_RANKS_NCCL_LINK_H

#include "distributed/ranks/cost_model.h"

/* Collective: times exchanges of all ranks with all. The latency is that of 8 bytes from each to each, waited for; the
 * bandwidth counts the bytes that one rank receives. STATUS_UNAVAILABLE on every rank, with the reason, without NCCL;
 * STATUS_SYSTEM when an exchange broke: the others may wait in it. */
enum status nccl_link_measure(const struct ranks *ranks, struct device *device, struct link *link, struct error *error);

#endif

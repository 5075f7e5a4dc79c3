/* The link of methods that exchange by NCCL, for their predictions. */
#pragma once

#include "backends/backend.h"
#include "distributed/ranks/links.h"

/* Collective: times exchanges of all ranks with all by NCCL, and writes them to links->ns[OPERATION_EXCHANGE]; all
 * other operations are MPI's, and are kept. STATUS_UNAVAILABLE on every rank, with the reason, without NCCL;
 * STATUS_SYSTEM when an exchange broke: the others may wait in it. */
enum status nccl_link_measure(const struct ranks *ranks, struct device *device, struct links *links,
                              struct error *error);

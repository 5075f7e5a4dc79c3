/* The probes whose rate is a rung's ceiling. They move exactly the bytes that the problem must move, or do its
 * arithmetic, in the same rounds and on the same device as the rungs. A probe is a rung like any other, so nothing can
 * be timed differently. Where a rung has several ceilings, the slowest counts. */
#pragma once

#include "backends/backend.h"
#include "lab/bench/candidate.h"

#define PROBES_MAX (2 + TENSOR_PRODUCTS_MAX)

/* Writes the probes for this problem on this device to `rungs`, at most PROBES_MAX; returns their number, 0 when none
 * applies. The tensor cores' probes are included where a candidate can use tensor cores on this device. */
size_t ceiling_probes(const struct problem *problem, const struct device *device, const struct candidate *candidates,
                      size_t count, const struct rung *rungs[PROBES_MAX]);

/* Whether the probe is a ceiling of the rung. Memory's probes apply to all rungs. The multiply-adds of ordinary units
 * apply to rungs that do not declare tensor cores. A tensor cores' probe applies to rungs that declare the same number
 * of products, and to vendors' libraries on elements of 16 bits. */
bool probe_applies(const struct rung *rung, const struct problem *problem, const struct rung *probe);

/* Operations of one run of the probe: the problem's, times the number of tensor cores' products for each. */
double probe_operations(const struct rung *probe, const struct problem *problem);

/* Whether the probe of that name moves bytes. No rung can be faster than such a ceiling. A ceiling of arithmetic holds
 * only for the units that it was measured on; a library may use others. */
bool probe_is_of_memory(const char *rung);

/* Searches for a prepared probe's fastest strategy again: the machine has changed, or a rung was faster than the probe.
 * With `others` the chosen strategy takes no part (memory_walk.h says why). Does nothing for probes with one strategy.
 */
enum status ceiling_search_again(struct run *run, bool others, struct error *error);

/* The same, only if the latency between the cores (`core_latency`, ns; lab/bench/core_latency.h) is not that of the
 * last search; at most a few times per probe. */
enum status ceiling_search_where(struct run *run, double core_latency, struct error *error);

/* ---- the probes. Each finds its fastest strategy at the problem's size when it is prepared ---- */

/* The fastest copy of the same size: the ceiling of kernels that read one stream and write one. */
extern const struct rung probe_copy;
/* Reads and writes as many streams of equal size as the kernel's cost has. */
extern const struct rung probe_streams;
/* The multiply-adds of the kernel's cost (two operations each), from registers: the ceiling of compute-bound
 * floating-point kernels. */
extern const struct rung probe_fma;
void ceiling_fma_search(struct run *run); /* only for ceiling_search_again */
/* The same on tensor cores, bfloat16 summed in float: "tensor-1", …. [n - 1] does n products for each of the problem's.
 */
extern const struct rung probe_tensor[TENSOR_PRODUCTS_MAX];

/* Fills the probes' arrays with noise, so that no hardware on the way to memory can compress them. */

/* Fills the buffer: 1 MiB from the random generator, then doubled by copies on the device. */
enum status noise_fill(const struct buffer *buffer, struct error *error);

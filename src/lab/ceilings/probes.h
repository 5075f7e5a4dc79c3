/* The ceiling that a rung is compared with: probes that move exactly the bytes the problem must move (or do its
 * arithmetic), in the same rounds as the rungs, on the same device. A probe is a rung like any other, so that nothing
 * can be timed differently. Of a rung's several ceilings the slowest counts. */
#ifndef USKOR_LAB_CEILINGS_PROBES_H
#define USKOR_LAB_CEILINGS_PROBES_H

#include "lab/bench/candidate.h"

#define PROBES_MAX (2 + TENSOR_PRODUCTS_MAX)

/* The probes for this problem on this device, at most PROBES_MAX; returns their number, 0 when no probe
 * applies. Those of tensor cores are among them where one of the candidates can run on them there. */
size_t ceiling_probes(const struct problem *problem, const struct device *device, const struct candidate *candidates,
                      size_t count, const struct rung *rungs[PROBES_MAX]);

/* Whether the rung is compared with that probe: memory's are for all, the multiply-adds of ordinary units for all that
 * do not say that they use tensor cores, and those of tensor cores for the rungs that need as many of them. */
bool probe_applies(const struct rung *rung, const struct rung *probe);

/* Operations of one run of the probe: the problem's, times the tensor cores' products for each. */
double probe_operations(const struct rung *probe, const struct problem *problem);

/* Whether the probe of that name moves bytes. No rung can be faster than such a ceiling; a ceiling of arithmetic
 * holds for the units it was measured on only, and a library may use others. */
bool probe_is_of_memory(const char *rung);

/* Finds a prepared probe's fastest strategy anew: the machine has changed, or a rung was faster than the one it uses.
 * Probes that have one strategy are left as they are. */
enum status ceiling_search_again(struct run *run, struct error *error);

/* The same where the cores, now so far apart (ns; lab/bench/core_latency.h), were elsewhere at the last search; at most
 * a few times for one probe. */
enum status ceiling_search_where(struct run *run, double core_latency, struct error *error);

/* ---- the probes. Each has several strategies, and finds the fastest at the problem's size when it is prepared ---- */

/* The fastest copy of as many bytes: the ceiling of kernels that read one stream and write one. */
extern const struct rung probe_copy;
/* As many equal streams read and written as the kernel's cost says. */
extern const struct rung probe_streams;
/* As many multiply-adds as the kernel's cost has operations in pairs, from registers: the ceiling of kernels that
 * compute in floating point longer than they move. */
extern const struct rung probe_fma;
void ceiling_fma_search(struct run *run); /* for ceiling_search_again alone */
/* The same on tensor cores, bfloat16 summed in float, where [n - 1] does n for each of the problem's: "tensor-1", … */
extern const struct rung probe_tensor[TENSOR_PRODUCTS_MAX];

#endif

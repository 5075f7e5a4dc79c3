/* One job with the host's side in memory of different kinds: pageable, pinned, managed, mapped.
 *
 * Measurements have the kernel "memory" and the problem "memory:" with the job's canonical text; the rung is the job's
 * rung, its parameters end with "memory=pinned". Phase whole is from inputs in host memory to outputs in host memory,
 * by the host's clock, with its three parts; compute is the same as whole, being what ratios are made of. Managed
 * memory's inputs were last written by the host, so that its pages travel when the device touches them (in the launch),
 * and back when the host reads a word of each (the download). */
#pragma once

#include "lab/bench/bench.h"

/* Runs every candidate's job in every kind, interleaved in rounds, verified before and after. `kinds` has a bit
 * (1 << kind) for each memory_kind. A kind that the device does not have is a measurement with verdict SKIP and the
 * reason. Of the options only seconds, progress and finished are used. STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_memory_kinds(const struct problem *problem, const struct candidate *candidates, size_t count,
                             unsigned kinds, const struct bench_options *options, struct measurement_list *list,
                             struct error *error);

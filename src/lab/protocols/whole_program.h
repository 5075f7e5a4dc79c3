/* The whole program of "Сортировка и скалярное произведение" on a device, in the publication's own form, beside the
 * pipeline's rung device-step, which has the same kernels.
 *
 * Within its time each vector gets memory on the device, goes there, is sorted and comes back; memory is released. Then
 * both go there once more, for the dot product: six vectors over the bus, five allocations. Groups have 1024 items,
 * and the dot product as many groups as hold n items. The kernels are compiled before.
 *
 * Measurements have the kernel "program" and the problem "program:" with the pipeline's canonical text. */
#pragma once

#include "lab/bench/bench.h"

/* Runs it for every candidate's device, verified before and after the timed runs. `problem` is the pipeline's. Of the
 * options only repeat (0: five), progress and finished are used. STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_whole_program(const struct problem *problem, const struct candidate *candidates, size_t count,
                              const struct bench_options *options, struct measurement_list *list, struct error *error);

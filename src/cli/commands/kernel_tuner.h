/* Kernel Tuner's cache files (github.com/KernelTuner/kernel_tuner): the measured times of a rung's combinations of
 * parameters, in JSON. Its strategies can be compared on such a file without a device (simulation_mode), and what it
 * has found can be taken over. */
#pragma once

#include "lab/bench/candidate.h"
#include "store/measurement.h"

/* Writes the rung's measurements on the device; combinations that were not timed are there with the reason. Nothing is
 * left where writing fails, and an existing file is refused. */
enum status kernel_tuner_write(const char *path, const struct measurement_list *list, const struct rung *rung,
                               const struct device *device, struct error *error);

/* The candidate of the file's rung ("kernel_name": "transpose/naive"), with the parameters of the file's least time.
 * STATUS_INVALID says what is wrong: no such file, a rung that is none of the candidates', a parameter or a value that
 * it does not offer, no time. */
enum status kernel_tuner_read(const char *path, const struct candidate *candidates, size_t count,
                              struct candidate *winner, struct error *error);

/* Fills in a measurement's description: its problem, rung and device. It is complete before the first run. */
#pragma once

#include "lab/bench/candidate.h"
#include "store/measurement.h"

/* Parts of it: the device that it was made on, now, by this program; the problem's work and the unit of its rate. */
void describe_device(struct measurement *measurement, const struct device *device);
void describe_work(struct measurement *measurement, const struct problem *problem);

void describe_measurement(struct measurement *measurement, const struct problem *problem,
                          const struct candidate *candidate, bool is_probe);

/* The verdict of a status: FAIL for a wrong result, SKIP for what this machine cannot do, ERROR for the rest. */
enum verdict verdict_of(enum status status);

/* Sets a verdict and its reason. The times of a rung that did not pass are discarded. */
void conclude_measurement(struct measurement *measurement, enum verdict verdict, const char *reason);

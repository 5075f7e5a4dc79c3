/* Fills a measurement's description of its problem, rung and device before anything has run. */
#ifndef USKOR_LAB_BENCH_DESCRIBE_H
#define USKOR_LAB_BENCH_DESCRIBE_H

#include "lab/bench/candidate.h"
#include "store/measurement.h"

void describe_measurement(struct measurement *measurement, const struct problem *problem,
                          const struct candidate *candidate, bool is_probe);

/* FAIL for a wrong answer, SKIP for what this machine cannot do, ERROR for the rest. */
enum verdict verdict_of(enum status status);

/* Sets a verdict and its reason; the times of a rung that is not right are not kept. */
void conclude_measurement(struct measurement *measurement, enum verdict verdict, const char *reason);

#endif

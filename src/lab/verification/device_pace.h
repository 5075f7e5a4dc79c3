/* The pace of device rungs (lab/verification/audit.h). */
#ifndef USKOR_LAB_VERIFICATION_DEVICE_PACE_H
#define USKOR_LAB_VERIFICATION_DEVICE_PACE_H

#include "lab/bench/runner.h"

/* Compares launches of a batch between which lines of the inputs change with launches that follow each other; and a
 * launch on wholly other inputs with one on inputs of which pieces changed. STATUS_FAILED when the first take
 * longer each time, by a tenth and 10 us. Nothing is compared where a run is shorter than 20 us, or the inputs cannot
 * be mixed. */
enum status audit_device_pace(struct runner *runner, bool cold, struct error *error);

/* The same of single calls on the cpu, which run from 0.2 ms to 2 s: one on wholly other inputs beside one on those of
 * the call before. STATUS_FAILED when the first take half as long again each time. */
enum status audit_host_pace(struct runner *runner, bool cold, struct error *error);

#endif

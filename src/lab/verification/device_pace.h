/* The pace test of device rungs (lab/verification/audit.h). */
#ifndef USKOR_LAB_VERIFICATION_DEVICE_PACE_H
#define USKOR_LAB_VERIFICATION_DEVICE_PACE_H

#include "lab/bench/runner.h"

/* Compares a batch whose inputs change between launches with one whose inputs do not; and a launch on new inputs with
 * one whose inputs changed in pieces. STATUS_FAILED when the first takes longer every time, by a tenth and by 10 us.
 * Nothing is compared for runs below 20 us, or where inputs cannot be mixed. */
enum status audit_device_pace(struct runner *runner, bool cold, struct error *error);

/* The same of single calls on the cpu, which run from 0.2 ms to 2 s: one on wholly other inputs beside one on those of
 * the call before. STATUS_FAILED when the first take half as long again each time. */
enum status audit_host_pace(struct runner *runner, bool cold, struct error *error);

#endif

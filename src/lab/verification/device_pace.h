/* The pace test of device rungs (lab/verification/audit.h). */
#pragma once

#include "lab/bench/runner.h"

/* Compares a batch whose inputs change between launches with one whose inputs do not; and a launch on inputs from a
 * fresh seed with one whose inputs changed in pieces. STATUS_FAILED when the first takes longer, by a tenth and by 10
 * us, by the medians and by a test on ranks. Nothing is compared for runs below 20 us, or where inputs cannot be mixed.
 */
enum status audit_device_pace(struct runner *runner, bool cold, struct error *error);

/* Refuses a rung of which a run takes `changing` ns where data have changed and `usual` where they have not.
 * STATUS_FAILED; STATUS_SYSTEM, with a reason that begins with DISTURBED, where that is not certain. */
enum status pace_refuse(double usual, double changing, bool is_certain, struct error *error);

/* The same of single calls on the cpu that take 30 us to 20 ms, those of a user's file to 1 s, in CPU time.
 * STATUS_FAILED when the first take a quarter as long again in more pairs than chance explains; STATUS_SYSTEM, as
 * above, where chance may explain them. */
enum status audit_host_pace(struct runner *runner, bool cold, struct error *error);

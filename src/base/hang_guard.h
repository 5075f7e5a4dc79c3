/* Ends the program when what it has under way (base/under_way.h) hangs: a driver's call or a rung in this very process
 * cannot be cut off. A child process is watched by its parent instead (base/child_process.h). */
#pragma once

#include <stdint.h>

#define HANG_SECONDS 120

/* From now on HANG_SECONDS without a sign of life, while a driver or a rung of a device is under way, are named in one
 * line on standard error and end the program with `exit_code`. Rungs on the device cpu may take any time. Without
 * memory for a thread nothing is watched. `each_second` (NULL: nothing) is called by that thread about every second
 * with clock_now(). To be called once, in the program that the user started. */
void hang_guard_start(int exit_code, void (*each_second)(int64_t now));

/* The user's own limit, which holds for rungs of the cpu, too. */
void hang_guard_limit(double seconds);

/* For calls of MPI (UNDER_WAY_RANKS), which otherwise may wait for other ranks as long as they like. hang_guard_limit
 * sets it, too. */
void hang_guard_ranks(double seconds);

/* What is under way as UNDER_WAY_ENDING ends the program with this code if it hangs: for ENDING_SECONDS, or as long as
 * hang_guard_ranks says if that is less. */
#define ENDING_SECONDS 10
void hang_guard_ending(int exit_code);

/* For jobs on files (UNDER_WAY_JOB). One on a device that is the CPU under another name may take any time as long as
 * the process computes. */
#define JOB_PATIENCE 5 /* times the patience with a driver that loads */
void hang_guard_jobs(double seconds);

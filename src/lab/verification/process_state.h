/* The process state that a rung must leave unchanged, besides memory: files, child processes, threads, and state of the
 * system and the C library. A rung that changes it influences the next ones. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* Records the process state; call it before a rung's turn. Only the last record is kept. */
void process_state_note(void);

/* Compares the process with the record, after a rung's turn and untimed; takes about 0.1 ms. `is_ours`: a C rung of the
 * ladder or of a user, on the CPU. Drivers and vendors' libraries may set up the process: for them only closed files
 * and child processes count, and the rest is recorded again. So they do for every rung once a driver is loaded: its
 * threads change the process at any time, and that is no rung's fault.
 *
 * Returns: STATUS_FAILED for a change (the message begins with "left"), which is undone as far as the system allows;
 * STATUS_SYSTEM for closed files and for child processes, which are ended. */
enum status process_state_check(bool is_ours, struct error *error);

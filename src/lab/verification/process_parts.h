/* The parts of lab/verification/process_state.h; only for it. Each is recorded and compared. A difference is undone
 * where the system allows it, and named in the error with STATUS_FAILED.
 *
 * Compared is only what a user's code can change from inside of its walls, and what changes the answers or times of
 * others in its process: what a system call alone can change (limits, timers, priorities, users, folders) the walls
 * forbid (walls/calls.c). */
#pragma once

#include "base/status.h"

/* Signal handlers, and the calling thread's signal mask. */
void process_signals_note(void);
enum status process_signals_compare(struct error *error);

/* OpenMP's settings. */
void process_openmp_note(void);
enum status process_openmp_compare(struct error *error);

/* Environment and locale: libraries that are loaded later read them. */
void process_names_note(void);
enum status process_names_compare(struct error *error);

/* The process's threads and their CPU affinities. */
void process_threads_note(void);
enum status process_threads_compare(struct error *error);

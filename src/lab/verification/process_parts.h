/* The parts of lab/verification/process_state.h; only for it. Each is recorded and compared. A difference is undone
 * where the system allows it, and named in the error with STATUS_FAILED. */
#ifndef USKOR_LAB_VERIFICATION_PROCESS_PARTS_H
#define USKOR_LAB_VERIFICATION_PROCESS_PARTS_H

#include "base/status.h"

/* Signal handlers, and the calling thread's signal mask. */
void process_signals_note(void);
enum status process_signals_compare(struct error *error);

/* Numeric state: OpenMP's settings, timers, limits, groups. */
void process_numbers_note(void);
enum status process_numbers_compare(struct error *error);

/* Environment, locale, working directory. */
void process_names_note(void);
enum status process_names_compare(struct error *error);

/* The process's threads, their CPU affinities and their priorities. */
void process_threads_note(void);
enum status process_threads_compare(struct error *error);

#endif

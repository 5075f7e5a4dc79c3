/* The parts of lab/verification/process_state.h, for that alone. Each is noted and compared; what differs is put back
 * where the system allows it, and named in the error with STATUS_FAILED. */
#ifndef USKOR_LAB_VERIFICATION_PROCESS_PARTS_H
#define USKOR_LAB_VERIFICATION_PROCESS_PARTS_H

#include "base/status.h"

/* What happens at a signal; which ones the calling thread blocks. */
void process_signals_note(void);
enum status process_signals_compare(struct error *error);

/* Whatever is a number: OpenMP's settings, timers, limits, groups. */
void process_numbers_note(void);
enum status process_numbers_compare(struct error *error);

/* Environment, locale, working folder. */
void process_names_note(void);
enum status process_names_compare(struct error *error);

/* Which threads there are, and on which cores and how urgently each runs. */
void process_threads_note(void);
enum status process_threads_compare(struct error *error);

#endif

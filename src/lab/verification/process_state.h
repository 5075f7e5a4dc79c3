/* What a rung must leave as it was in its process, besides memory: files, child processes, threads, and what the system
 * and the C library keep for the process. A rung that changes any of it changes how others run. */
#ifndef USKOR_LAB_VERIFICATION_PROCESS_STATE_H
#define USKOR_LAB_VERIFICATION_PROCESS_STATE_H

#include <stdbool.h>

#include "base/status.h"

/* Notes the process as it is: to be called before a rung's turn. There is one note, the last. */
void process_state_note(void);

/* Compares the process with the note, after a rung's turn; off the clock, a tenth of a millisecond. `is_ours`: a rung
 * of the ladder or of a user on the cpu. Drivers and vendors' libraries may set up the process as they like: of those
 * only closed files and child processes count, and the rest is noted anew. STATUS_FAILED for what was changed (the
 * message begins with "left") and is put back as far as the system allows; STATUS_SYSTEM for closed files and child
 * processes, which are ended. */
enum status process_state_check(bool is_ours, struct error *error);

#endif

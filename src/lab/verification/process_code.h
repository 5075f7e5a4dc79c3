/* The code of the process that judges a user's C file. The file's module shares it: a module that wrote a slower clock
 * over the C library's, or into the table of functions that the program calls, would forge its figure. */
#pragma once

#include "base/status.h"

/* Records the code that is loaded now, some 10 MB in 5 ms; call it before the module is loaded. */
void process_code_note(void);

/* STATUS_FAILED when some of it has been changed, unmapped or hidden since. Without a record: STATUS_OK. */
enum status process_code_check(struct error *error);

/* Ctrl-C (or SIGTERM, SIGHUP, SIGXCPU) asks the lab to stop after the run under way; what was measured is kept. */
#pragma once

#include <stdbool.h>

/* Installs the handler. `second` handles a second Ctrl-C; it must end the program. */
void interrupt_install(void (*second)(int signal));

/* What the first Ctrl-C prints on standard error at once, as the run under way may take minutes. Kept, not copied. */
void interrupt_answer(const char *text);

bool interrupt_requested(void);

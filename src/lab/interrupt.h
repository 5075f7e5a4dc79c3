/* Ctrl-C asks the lab to stop after the run under way; what was measured is kept. A second Ctrl-C ends the program. */
#ifndef USKOR_LAB_INTERRUPT_H
#define USKOR_LAB_INTERRUPT_H

#include <stdbool.h>

void interrupt_install(void);
bool interrupt_requested(void);

#endif

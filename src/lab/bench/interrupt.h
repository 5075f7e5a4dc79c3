/* Ctrl-C asks the lab to stop after the current run. All results until then are stored. */
#ifndef USKOR_LAB_BENCH_INTERRUPT_H
#define USKOR_LAB_BENCH_INTERRUPT_H

#include <stdbool.h>

/* Installs the handler. `second` handles a second Ctrl-C; it must end the program. */
void interrupt_install(void (*second)(int signal));
bool interrupt_requested(void);

#endif

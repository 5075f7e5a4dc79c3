/* Opcodes and what they do. */
#ifndef USKOR_EXPLAIN_MACHINE_ACTIONS_H
#define USKOR_EXPLAIN_MACHINE_ACTIONS_H

#include "explain/machine/thread.h"

/* Gives each instruction its action; one without only leaves its results unknown. */
void machine_bind(struct machine_code *code);

#endif

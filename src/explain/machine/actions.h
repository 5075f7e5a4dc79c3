/* Opcodes and what they do. */
#ifndef USKOR_EXPLAIN_MACHINE_ACTIONS_H
#define USKOR_EXPLAIN_MACHINE_ACTIONS_H

#include "explain/machine/warp.h"

machine_action machine_integer_action(const char *opcode);  /* NULL: none of these */
machine_action machine_float_action(const char *opcode);    /* … */
machine_action machine_control_action(const char *opcode);  /* … */
machine_action machine_exchange_action(const char *opcode); /* … */
machine_action machine_load_action(const char *opcode);     /* … */
machine_action machine_atomic_action(const char *opcode);   /* … */

/* Gives each instruction its action; one without only leaves its results unknown. */
void machine_bind(struct machine_code *code);

#endif

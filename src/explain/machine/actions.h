/* Opcodes and what they do. */
#pragma once

#include "explain/machine/warp.h"

struct machine_opcodes {
    machine_action action; /* NULL ends a table */
    const char *names;     /* with one space between them */
};

extern const struct machine_opcodes machine_integer_opcodes[], machine_float_opcodes[], machine_control_opcodes[],
    machine_exchange_opcodes[], machine_load_opcodes[], machine_atomic_opcodes[];

/* Gives each instruction its action; one without only leaves its results unknown. */
void machine_bind(struct machine_code *code);

/* The floating-point environment of OpenMP's threads: rounding, flushing of subnormal numbers, traps. Each thread has
 * its own, and code that changes one leaves it so for whoever runs there next. */
#pragma once

#include <fenv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread's floating-point control state: MXCSR without its flags, and x87's control word with its occupied registers
 * in the upper half; or FPCR; 0 on other processors. */
struct floating_control {
    uint32_t vector, scalar;
};

struct floating_control floating_control_read(void);
void floating_control_write(struct floating_control control);
/* To nearest, subnormal numbers kept, no traps: what the ABI starts a program with. */
struct floating_control floating_control_default(void);

/* The calling thread's and those of the OpenMP team that it would start; freed by floating_scope_end. */
struct floating_scope {
    struct floating_control
        *saved; /* one for each thread; NULL: no memory, and the other threads are left as they are */
    int threads;
    fenv_t own; /* the calling thread's complete floating-point environment */
};

/* Gives every thread the default environment, and keeps what it had. False: no memory, and only the calling thread has
 * it. */
bool floating_scope_begin(struct floating_scope *scope);
/* Gives every thread back what it had; the calling thread's exception flags are again what they were. */
void floating_scope_end(struct floating_scope *scope);

/* False, with what is so and in which thread ("left flush-to-zero set in OpenMP thread 1"), when a thread's environment
 * is not the default one. All have it afterwards. */
bool floating_state_is_default(char *text, size_t size);

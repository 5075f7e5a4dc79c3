/* A traced kernel runs in this process, on its items' stacks. A signal that its code raises (a division of integers by
 * zero, a full stack, an abort) ends the group that runs, and not the program. */
#pragma once

#include <setjmp.h>
#include <signal.h>

enum { CRASH_SIGNALS = 5 };

struct crash_guard {
    struct sigaction before[CRASH_SIGNALS];
    stack_t stack_before;
    void *stack; /* of the handler */
};

/* From here to crash_guard_end this thread's crashes resume at crash_point, where it is set. */
void crash_guard_begin(struct crash_guard *guard);
void crash_guard_end(struct crash_guard *guard);

/* Where this thread goes on, with the signal's number; NULL: the signal takes its course. */
extern _Thread_local sigjmp_buf *crash_point;

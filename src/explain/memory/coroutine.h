/* Coroutines: work-items that take turns on one thread, each with its own stack. */
#pragma once

#include <stddef.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

struct coroutine {
#if defined(__x86_64__) || defined(__aarch64__)
    void *stack_pointer;
#else
    ucontext_t context;
#endif
};

/* Makes a coroutine. The first switch to it calls `entry`, which must not return. `stack` is the stack's lowest byte.
 */
void coroutine_make(struct coroutine *coroutine, void *stack, size_t bytes, void (*entry)(void));

/* Saves the running coroutine in `from` and resumes `to`; returns when something switches back. */
void coroutine_switch(struct coroutine *from, struct coroutine *to);

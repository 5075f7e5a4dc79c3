/* Work-items that take turns on one thread: each has a stack of its own and goes on where it left off. */
#ifndef USKOR_EXPLAIN_MEMORY_COROUTINE_H
#define USKOR_EXPLAIN_MEMORY_COROUTINE_H

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

/* The first switch to it calls `entry`, which never returns. `stack` is the stack's lowest byte. */
void coroutine_make(struct coroutine *coroutine, void *stack, size_t bytes, void (*entry)(void));

/* Leaves the running coroutine in `from` and goes on in `to`; returns when somebody switches back. */
void coroutine_switch(struct coroutine *from, struct coroutine *to);

#endif

#include "explain/memory/crash_guard.h"

#include <stdlib.h>
#include <string.h>

static const int signals[CRASH_SIGNALS] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT};

_Thread_local sigjmp_buf *crash_point;

#define HANDLER_STACK (64 << 10)

static void leave(int number)
{
    sigjmp_buf *point = crash_point;
    crash_point = NULL;
    if (point)
        siglongjmp(*point, number);
    signal(number, SIG_DFL);
    raise(number);
}

void crash_guard_begin(struct crash_guard *guard)
{
    struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK | SA_NODEFER};
    memset(guard, 0, sizeof *guard);
    /* The signal comes on a stack of its own: the item's may be full. */
    guard->stack = malloc(HANDLER_STACK);
    const stack_t stack = {.ss_sp = guard->stack, .ss_size = HANDLER_STACK};
    if (guard->stack)
        sigaltstack(&stack, &guard->stack_before);
    for (int i = 0; i < CRASH_SIGNALS; i++)
        sigaction(signals[i], &action, &guard->before[i]);
}

void crash_guard_end(struct crash_guard *guard)
{
    for (int i = 0; i < CRASH_SIGNALS; i++)
        sigaction(signals[i], &guard->before[i], NULL);
    if (guard->stack)
        sigaltstack(&guard->stack_before, NULL);
    free(guard->stack);
}

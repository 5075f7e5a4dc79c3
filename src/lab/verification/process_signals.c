/* The signals' handlers and masks. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/fatal_signal.h"
#include "lab/bench/interrupt.h"
#include "lab/verification/process_parts.h"

#define SIGNALS 65

static struct signals {
    struct sigaction actions[SIGNALS];
    sigset_t blocked;
    stack_t stack;
} noted;

static void look(struct signals *found)
{
    memset(found, 0, sizeof *found);
    for (int i = 1; i < SIGNALS; i++)
        sigaction(i, NULL, &found->actions[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &found->blocked);
    sigaltstack(NULL, &found->stack);
}

void process_signals_note(void)
{
    look(&noted);
}

static bool same_set(const sigset_t *a, const sigset_t *b)
{
    for (int i = 1; i < SIGNALS; i++)
        if (sigismember(a, i) != sigismember(b, i))
            return false;
    return true;
}

static bool same_action(const struct sigaction *a, const struct sigaction *b)
{
    bool is_simple = a->sa_handler == SIG_DFL || a->sa_handler == SIG_IGN;
    return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags &&
           (is_simple || same_set(&a->sa_mask, &b->sa_mask));
}

/* Signals of Ctrl-C: their handlers change while a rung runs. */
static bool is_interrupt(int number)
{
    return (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGXCPU) && interrupt_requested();
}

enum status process_signals_compare(struct error *error)
{
    struct signals now;
    char name[32];
    enum status status = STATUS_OK;
    look(&now);
    for (int i = 1; i < SIGNALS; i++) {
        if (same_action(&noted.actions[i], &now.actions[i]) || is_interrupt(i))
            continue;
        sigaction(i, &noted.actions[i], NULL);
        status = fail(error, STATUS_FAILED, "left another handler for %s", signal_name(i, name, sizeof name));
    }
    if (!same_set(&noted.blocked, &now.blocked)) {
        pthread_sigmask(SIG_SETMASK, &noted.blocked, NULL);
        status = fail(error, STATUS_FAILED, "left other signals blocked");
    }
    if (noted.stack.ss_sp != now.stack.ss_sp || noted.stack.ss_flags != now.stack.ss_flags) {
        sigaltstack(&noted.stack, NULL);
        status = fail(error, STATUS_FAILED, "left another stack for signals");
    }
    return status;
}

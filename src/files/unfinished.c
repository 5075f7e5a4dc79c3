#include "files/unfinished.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "files/output.h"

enum slot_state {
    SLOT_FREE,
    SLOT_TAKEN, /* its path is being written: not for the handler */
    SLOT_LISTED,
};

static struct {
    atomic_int state;
    char path[PATH_MAX];
} slots[16];

void output_remove_unfinished(void)
{
    for (size_t i = 0; i < COUNT_OF(slots); i++)
        if (atomic_load(&slots[i].state) == SLOT_LISTED)
            unlink(slots[i].path);
}

/* The default comes back only when the files are gone: a second signal that comes meanwhile (to another thread, even)
 * removes them too, and does not end the program halfway. Ends with the status that the parent expects. */
void output_end_by_signal(int number)
{
    output_remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static void replace_default(int number, void (*handler)(int))
{
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0 || (current.sa_flags & SA_SIGINFO) || current.sa_handler != SIG_DFL)
        return;
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* What does not end a program, or is another's: SIGBUS is mapping.c's. SIGKILL and SIGSTOP cannot be caught. */
static bool is_left_alone(int number)
{
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU, SIGCONT,
                                 SIGCHLD, SIGURG,  SIGWINCH, SIGXFSZ, SIGBUS};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (others[i] == number)
            return true;
    return false;
}

static void install_handlers(void)
{
    for (int number = 1; number <= SIGRTMAX; number++)
        if (!is_left_alone(number))
            replace_default(number, output_end_by_signal);
    replace_default(SIGXFSZ, SIG_IGN);
}

void unfinished_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handlers);
}

int unfinished_enter(const char *path)
{
    unfinished_prepare();
    size_t length = strlen(path);
    if (length >= sizeof slots[0].path)
        return -1;
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        int expected = SLOT_FREE;
        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_TAKEN))
            continue;
        memcpy(slots[i].path, path, length + 1);
        atomic_store(&slots[i].state, SLOT_LISTED);
        return (int)i;
    }
    return -1;
}

void unfinished_leave(int slot)
{
    if (slot >= 0)
        atomic_store(&slots[slot].state, SLOT_FREE);
}

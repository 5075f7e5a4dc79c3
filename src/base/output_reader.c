#include "base/output_reader.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t is_gone;

static void note(int number)
{
    (void)number;
    is_gone = 1;
}

void output_reader_outlive(void)
{
    struct sigaction before;
    const struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    if (sigaction(SIGPIPE, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
        sigaction(SIGPIPE, &action, NULL);
}

bool output_reader_is_gone(void)
{
    return is_gone != 0;
}

void output_reader_follow(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

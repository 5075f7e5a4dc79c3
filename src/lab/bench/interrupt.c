#include "lab/bench/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "base/under_way.h"

static volatile sig_atomic_t requested;
static void (*on_second)(int signal);
static const char *answer; /* to the first Ctrl-C; NULL: none */

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* nobody listens */
}

static void on_signal(int number)
{
    requested = 1;
    if (atomic_load(&under_way_now()->loading) > 0) { /* a driver that hangs gives nobody the time to look */
        under_way_condemn();
        on_second(number);
        return;
    }
    if (number != SIGXCPU) /* comes again with each second */
        signal(number, on_second);
    if (number != SIGINT || !answer)
        return;
    say("\n");
    say(answer);
    say("\n");
}

void interrupt_install(void (*second)(int signal))
{
    /* Ctrl-C, the end of the session, a terminal that is gone (nohup ignores that), no processor's time left. */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    struct sigaction before;
    on_second = second;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && (before.sa_handler != SIG_IGN || numbers[i] != SIGHUP))
            sigaction(numbers[i], &action, NULL);
    /* Nobody reads the tables any more ("| head"): what is measured is stored all the same. */
    signal(SIGPIPE, SIG_IGN);
}

void interrupt_answer(const char *text)
{
    answer = text;
}

bool interrupt_requested(void)
{
    return requested != 0;
}

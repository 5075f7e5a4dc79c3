#include "lab/bench/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "base/under_way.h"

static volatile sig_atomic_t requested;
static void (*on_second)(int signal);

static void on_signal(int number)
{
    requested = 1;
    if (atomic_load(&under_way_now()->loading) > 0) { /* a driver that hangs gives nobody the time to look */
        under_way_condemn();
        on_second(number);
        return;
    }
    signal(number, on_second);
}

void interrupt_install(void (*second)(int signal))
{
    on_second = second;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_requested(void)
{
    return requested != 0;
}

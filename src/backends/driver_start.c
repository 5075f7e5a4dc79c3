#include "backends/driver_start.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* SIGABRT: after a handler of a driver's, abort() ends the process before ours is asked (base/fatal_signal.h). */
static const int signals[DRIVER_START_SIGNALS] = {SIGABRT, SIGCHLD, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM};

#define ABOVE 32 /* drivers and rungs open and close files below (base/child_files.h) */

void driver_start_begin(struct driver_start *start)
{
    fegetenv(&start->floating);
    for (int i = 0; i < DRIVER_START_SIGNALS; i++)
        sigaction(signals[i], NULL, &start->actions[i]);
    sigprocmask(SIG_BLOCK, NULL, &start->blocked);
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        start->files[i] = fcntl(i, F_DUPFD_CLOEXEC, ABOVE);
    if (start->files[STDOUT_FILENO] >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
}

void driver_start_end(const struct driver_start *start)
{
    fesetenv(&start->floating);
    fflush(stdout); /* what the driver printed through the C library */
    for (int i = 0; i < 3; i++)
        if (start->files[i] >= 0) {
            dup2(start->files[i], i);
            close(start->files[i]);
        }
    sigprocmask(SIG_SETMASK, &start->blocked, NULL);
    for (int i = 0; i < DRIVER_START_SIGNALS; i++)
        sigaction(signals[i], &start->actions[i], NULL);
}

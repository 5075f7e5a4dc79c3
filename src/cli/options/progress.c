#include "cli/options/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/terminal.h"

void bench_session_progress(void *context, const char *what, double fraction)
{
    (void)context;
    if (!is_terminal(STDERR_FILENO))
        return;
    const int width = 24;
    int filled = (int)(fraction * width);
    fputs("\r\033[K  ", stderr);
    for (int i = 0; i < width; i++)
        fputs(i < filled ? "█" : "░", stderr);
    fprintf(stderr, " %3.0f %%  %s", 100 * fraction, what);
    fflush(stderr);
}

void bench_session_progress_end(void)
{
    if (is_terminal(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

#include "lab/bench/rest.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define NAP_NS 1000000
#define PATIENCE_NS 500000000

/* Whether the thread has a core, or waits for one: its state stands behind its name, which may have brackets, too. */
static bool is_running(int threads, const char *id)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "%.20s/stat", id);
    const int file = openat(threads, path, O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    if (file >= 0)
        close(file);
    if (bytes <= 0)
        return false; /* it has ended */
    line[bytes] = 0;
    const char *bracket = strrchr(line, ')');
    return bracket && bracket[1] == ' ' && bracket[2] == 'R';
}

/* Not by the process's clock: to that the system adds what runs on another core only at its next tick, milliseconds
 * later. */
static bool is_at_rest(void)
{
    DIR *threads = opendir("/proc/self/task");
    const pid_t own = gettid();
    bool rests = true;
    for (const struct dirent *entry; threads && rests && (entry = readdir(threads));)
        if (entry->d_name[0] != '.' && strtol(entry->d_name, NULL, 10) != own)
            rests = !is_running(dirfd(threads), entry->d_name);
    if (threads)
        closedir(threads);
    return rests;
}

void wait_until_at_rest(void)
{
    const int64_t until = clock_now() + PATIENCE_NS;
    do
        clock_sleep(NAP_NS);
    while (!is_at_rest() && clock_now() < until);
}

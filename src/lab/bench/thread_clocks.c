#include "lab/bench/thread_clocks.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define THREADS_MOST 256

static pid_t threads[THREADS_MOST];
static size_t thread_count;

void thread_clocks_forget(void)
{
    thread_count = 0;
}

void thread_clocks_note(void)
{
    const pid_t own = gettid();
    DIR *folder = opendir("/proc/self/task");
    thread_clocks_forget();
    for (const struct dirent *entry; folder && thread_count < THREADS_MOST && (entry = readdir(folder));) {
        const long id = strtol(entry->d_name, NULL, 10);
        if (id > 0 && id != own)
            threads[thread_count++] = (pid_t)id;
    }
    if (folder)
        closedir(folder);
}

/* The number of the clock of a thread's CPU time, as the kernel's headers have it (CPUCLOCK_PERTHREAD, CPUCLOCK_SCHED).
 */
static clockid_t clock_of(pid_t thread)
{
    return (clockid_t)(~(unsigned)thread << 3 | 6);
}

int64_t thread_clocks_processor(void)
{
    struct timespec unused;
    for (size_t i = 0; i < thread_count; i++)
        (void)clock_gettime(clock_of(threads[i]), &unused); /* of one that has ended all is counted */
    return clock_processor();
}

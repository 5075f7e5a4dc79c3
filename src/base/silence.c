#include "base/silence.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void silence_broken(struct silence *silence, int64_t now)
{
    silence->since = now;
    silence->is_watched = false;
}

bool silence_exceeds(struct silence *silence, int64_t limit, int64_t now, int64_t (*delay_of)(pid_t process))
{
    const int64_t spent = now - silence->since;
    if (spent <= limit / 2)
        return false;
    if (!silence->is_watched)
        silence->delay = delay_of(silence->process);
    silence->is_watched = true;
    if (spent <= limit)
        return false;
    const int64_t waited = delay_of(silence->process) - silence->delay;
    return spent - (waited > 0 ? waited : 0) > limit;
}

int64_t run_delay_of_thread(pid_t process, pid_t thread)
{
    char path[96];
    int64_t ran, waited = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)process, (int)thread);
    FILE *times = fopen(path, "re");
    if (times && fscanf(times, "%" SCNd64 " %" SCNd64, &ran, &waited) != 2)
        waited = 0;
    if (times)
        fclose(times);
    return waited;
}

int64_t run_delay_of(pid_t process)
{
    char path[64];
    int64_t longest = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; threads && (entry = readdir(threads));) {
        const int64_t waited =
            entry->d_name[0] == '.' ? 0 : run_delay_of_thread(process, (pid_t)strtol(entry->d_name, NULL, 10));
        longest = waited > longest ? waited : longest;
    }
    if (threads)
        closedir(threads);
    return longest;
}

#include "base/silence.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>

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

int64_t run_delay_of(pid_t process)
{
    char path[64];
    int64_t longest = 0, ran, waited;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; threads && (entry = readdir(threads));) {
        char file[96 + sizeof entry->d_name];
        snprintf(file, sizeof file, "%s/%s/schedstat", path, entry->d_name);
        FILE *times = entry->d_name[0] == '.' ? NULL : fopen(file, "re");
        if (times && fscanf(times, "%" SCNd64 " %" SCNd64, &ran, &waited) == 2 && waited > longest)
            longest = waited;
        if (times)
            fclose(times);
    }
    if (threads)
        closedir(threads);
    return longest;
}

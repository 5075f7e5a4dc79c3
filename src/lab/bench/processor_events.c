#include "lab/bench/processor_events.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What perf_event_open's files give with this read_format. */
struct reading {
    uint64_t value, enabled, running;
};

static int open_counter(int thread, int event)
{
    static const uint64_t kinds[EVENT_COUNT] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS};
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = kinds[event],
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool open_thread(struct processor_events *events, int thread)
{
    if (events->threads == EVENT_THREADS_MOST)
        return false;
    int *files = events->files[events->threads];
    for (int event = 0; event < EVENT_COUNT; event++) {
        files[event] = open_counter(thread, event);
        if (files[event] >= 0)
            continue;
        while (event-- > 0)
            close(files[event]);
        return false;
    }
    events->threads++;
    return true;
}

bool processor_events_begin(struct processor_events *events)
{
    const struct dirent *entry;
    double unused[EVENT_COUNT] = {0};
    bool is_counting = true;
    events->threads = 0;
    DIR *folder = opendir("/proc/self/task");
    while (folder && is_counting && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            is_counting = open_thread(events, (int)strtol(entry->d_name, NULL, 10));
    if (folder)
        closedir(folder);
    if (!is_counting)
        processor_events_end(events, unused);
    return is_counting && events->threads > 0;
}

bool processor_events_end(struct processor_events *events, double totals[EVENT_COUNT])
{
    double counted[EVENT_COUNT] = {0};
    bool is_read = events->threads > 0;
    for (size_t thread = 0; thread < events->threads; thread++)
        for (int event = 0; event < EVENT_COUNT; event++) {
            struct reading reading = {0};
            const int file = events->files[thread][event];
            is_read = read(file, &reading, sizeof reading) == (ssize_t)sizeof reading && is_read;
            close(file);
            if (reading.running > 0)
                counted[event] += (double)reading.value * ((double)reading.enabled / (double)reading.running);
        }
    events->threads = 0;
    for (int event = 0; is_read && event < EVENT_COUNT; event++)
        totals[event] += counted[event];
    return is_read;
}

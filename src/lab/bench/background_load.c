#include "lab/bench/background_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define SECOND_NS INT64_C(1000000000)
#define LEAST_NS (SECOND_NS / 4)

/* The first line of /proc/stat: ticks of all cores since boot. The time of guests is already part of user time. Stolen
 * time (steal) was used by another virtual machine, so it counts as busy. */
enum { USER, NICE, SYSTEM, IDLE, IO_WAIT, IRQ, SOFT_IRQ, STEAL, FIELDS };

static int read_ticks(int64_t ticks[FIELDS])
{
    FILE *file = fopen("/proc/stat", "r");
    if (!file)
        return 0;
    int read =
        fscanf(file, "cpu %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
               &ticks[USER], &ticks[NICE], &ticks[SYSTEM], &ticks[IDLE], &ticks[IO_WAIT], &ticks[IRQ], &ticks[SOFT_IRQ],
               &ticks[STEAL]);
    fclose(file);
    return read;
}

static int64_t nanoseconds(struct timeval time)
{
    return time.tv_sec * SECOND_NS + time.tv_usec * INT64_C(1000);
}

struct processor_times processor_times_now(void)
{
    int64_t ticks[FIELDS] = {0}, all = 0, tick = SECOND_NS / sysconf(_SC_CLK_TCK);
    struct timespec own;
    struct rusage children;
    if (read_ticks(ticks) != FIELDS || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) != 0 ||
        getrusage(RUSAGE_CHILDREN, &children) != 0)
        return (struct processor_times){0};
    for (int i = 0; i < FIELDS; i++)
        all += ticks[i];
    return (struct processor_times){
        .all = all * tick,
        .busy = (all - ticks[IDLE] - ticks[IO_WAIT]) * tick,
        .own = own.tv_sec * SECOND_NS + own.tv_nsec + nanoseconds(children.ru_utime) + nanoseconds(children.ru_stime),
        .stops = processors_stopped(""),
        .now = clock_now(),
    };
}

double background_load_between(const struct processor_times *from, const struct processor_times *to)
{
    int64_t all = to->all - from->all, others = (to->busy - from->busy) - (to->own - from->own);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return all < LEAST_NS || others < 0 ? 0 : (double)others / (double)all * (double)processors;
}

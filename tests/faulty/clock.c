/* Put before the C library's (LD_PRELOAD), a clock that jumps. That of the day (FAULT=day, and gettimeofday() and
 * time()) jumps to and fro over the centuries, also before 1970. With FAULT=noise the clock that does not go back leaps
 * now and then, by very different times; with FAULT=own it stands while other programs run; else it is set back by 500
 * s at every second look. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CENTURY 3155760000

static int is_fault(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault && strcmp(fault, name) == 0;
}

/* Each look is up to a second later than the one before, 10^0 to 10^9 ns in no order: a sample may look ten times. */
static void leap(struct timespec *tp)
{
    static unsigned looks;
    static long long ahead;
    long long step = 1;
    for (unsigned zeros = (__sync_add_and_fetch(&looks, 1) * 2654435761u >> 16) % 10; zeros > 0; zeros--)
        step *= 10;
    const long long now = tp->tv_nsec + __sync_add_and_fetch(&ahead, step);
    tp->tv_sec += now / 1000000000;
    tp->tv_nsec = now % 1000000000;
}

static time_t jump(void)
{
    static const time_t jumps[] = {0, -CENTURY, 3 * CENTURY, -1, 80 * CENTURY};
    static unsigned looks;
    return is_fault("day") ? jumps[__sync_add_and_fetch(&looks, 1) % (sizeof jumps / sizeof jumps[0])] : 0;
}

EXPORT int clock_gettime(clockid_t clock_id, struct timespec *tp)
{
    static int looks;
    const bool is_own = clock_id == CLOCK_MONOTONIC && is_fault("own");
    const int code = (int)syscall(SYS_clock_gettime, is_own ? CLOCK_PROCESS_CPUTIME_ID : clock_id, tp);
    if (clock_id == CLOCK_MONOTONIC && is_fault("noise"))
        leap(tp);
    else if (clock_id == CLOCK_MONOTONIC && !is_own && !is_fault("day") && __sync_add_and_fetch(&looks, 1) > 200)
        tp->tv_sec -= 500 * (looks % 2);
    if (clock_id == CLOCK_REALTIME)
        tp->tv_sec += jump();
    return code;
}

EXPORT int gettimeofday(struct timeval *tv, void *tz)
{
    struct timespec now;
    (void)tz;
    clock_gettime(CLOCK_REALTIME, &now);
    *tv = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

EXPORT time_t time(time_t *timer)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (timer)
        *timer = now.tv_sec;
    return now.tv_sec;
}

#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_processor(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_sleep(int64_t nanoseconds)
{
    struct timespec left = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* Put before the C library's (LD_PRELOAD), the clock that does not go back is set back by 500 s at every second look.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock_id, struct timespec *tp)
{
    static int looks;
    const int code = (int)syscall(SYS_clock_gettime, clock_id, tp);
    if (clock_id == CLOCK_MONOTONIC && __sync_add_and_fetch(&looks, 1) > 200)
        tp->tv_sec -= 500 * (looks % 2);
    return code;
}

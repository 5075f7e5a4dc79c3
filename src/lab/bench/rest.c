#include "lab/bench/rest.h"

#include <stdint.h>
#include <time.h>

#include "base/clock.h"

#define NAP_NS 1000000
#define AT_REST 0.05 /* of a nap: the processor time that the naps themselves take is well below */
#define PATIENCE_NS 200000000

/* CPU time of all threads, including running ones. */
static int64_t processor_time(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

void wait_until_at_rest(void)
{
    int64_t until = clock_now() + PATIENCE_NS;
    int64_t before, slept, used;
    do {
        before = processor_time();
        slept = clock_now();
        clock_sleep(NAP_NS);
        used = processor_time() - before;
        slept = clock_now() - slept;
    } while ((double)used > AT_REST * (double)slept && clock_now() < until);
}

#include "cli/commands/grade_quiet.h"

#include "base/clock.h"
#include "lab/bench/background_load.h"
#include "lab/bench/interrupt.h"

#define LOOK_NS 500000000 /* the system counts in steps of 10 ms */
#define QUIET 0.15        /* cores; a timing with more than 0.2 is void */

void grade_wait_for_quiet(int64_t *patience)
{
    double load = 1;
    int64_t begun = clock_now(), waited = 0;
    while (load > QUIET && waited < *patience && !interrupt_requested()) {
        struct processor_times before = processor_times_now();
        clock_sleep(LOOK_NS);
        struct processor_times after = processor_times_now();
        load = background_load_between(&before, &after);
        waited = clock_now() - begun;
    }
    *patience -= load > QUIET ? waited : waited - LOOK_NS; /* a quiet machine costs nothing */
}

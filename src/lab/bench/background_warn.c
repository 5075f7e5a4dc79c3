#include <limits.h>

#include "base/message.h"
#include "base/threads.h"
#include "lab/bench/background_load.h"

#define STOPS_DISTURB 0.01 /* of the time */

bool background_warn(char *warnings, size_t size, const struct processor_times *from, const struct processor_times *to)
{
    const double others = background_load_between(from, to);
    const int64_t periods = to->stops.periods - from->stops.periods;
    const double stopped = (double)(to->stops.nanoseconds - from->stops.nanoseconds);
    int threads, processors;
    if (threads_are_crowded(&threads, &processors))
        explain(warnings, size, "noisy: OpenMP binds %d threads to fewer CPUs: %d", threads, processors);
    else if (periods > 0 && stopped > STOPS_DISTURB * (double)(to->now - from->now))
        explain(warnings, size, "noisy: the CPU quota (%.1f CPUs) stopped the program in %d periods",
                processors_quota(""), (int)(periods < INT_MAX ? periods : INT_MAX));
    else if (others > BACKGROUND_DISTURBS)
        explain(warnings, size, "noisy: other programs used %.1f CPUs", others);
    else
        return false;
    return true;
}

#include "choice/whole_time.h"

#include "base/pool.h"
#include "choice/choose_rung.h"

/* Those of the measurement over those that there are; 1 where there are no more. */
static double share_of_threads(const struct tuned_entry *from)
{
    const int threads = (int)pool_threads();
    return from->kind == TUNED_CPU && from->threads > 0 && threads > from->threads ? (double)from->threads / threads
                                                                                   : 1;
}

bool whole_time_expect(const struct problem *problem, const struct device *device, const struct transfers *transfers,
                       struct whole_time *time)
{
    struct rung_choice choice;
    struct prediction predictions[KERNEL_RUNGS_MAX];
    if (choose_rung(problem, device, NULL, &choice, NULL) != STATUS_OK)
        return false;
    const size_t count = choose_predictions(problem, device, predictions, KERNEL_RUNGS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (predictions[i].rung != choice.rung)
            continue;
        *time = (struct whole_time){.compute = predictions[i].nanoseconds * share_of_threads(predictions[i].from)};
        if (transfers) {
            time->opening = transfers->opening;
            time->copies = transfers_time(transfers, problem);
        }
        return true;
    }
    return false;
}

double whole_time_sum(const struct whole_time *time)
{
    return time->opening + time->copies + time->compute;
}

#include "explain/model/look_back_rounds.h"

#include <math.h>

/* Groups that run at once publish their own sums together. Then group t reads back f words, one in each round, until
 * group t - f has a complete sum: it had f(t - f) rounds. A sum that completes in one round is read in the next at the
 * earliest, and half a round later on average, as groups do not poll in step: f(t) - f(t - f) = 1 + 1/2. So f is about
 * √(3t), and its mean over the groups up to t two thirds of that. */
double look_back_last(double at_once)
{
    return fmax(1, sqrt(3 * at_once));
}

double look_back_mean(double at_once)
{
    return fmax(1, 2 * look_back_last(at_once) / 3);
}

bool kernel_looks_back(const struct explain_kernel *kernel, int loop)
{
    while (loop >= 0 && !kernel->loops[loop].looks_back)
        loop = kernel->loops[loop].parent;
    return loop >= 0;
}

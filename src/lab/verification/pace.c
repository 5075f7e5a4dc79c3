#include "lab/verification/pace.h"

#include <math.h>

#include "base/statistics.h"

#define PACE_FACTOR 1.5

bool pace_differs_beyond(const double *usual, const double *changing, size_t count, double slack)
{
    double sorted[PACE_PAIRS_MOST], least = INFINITY;
    count = count < PACE_PAIRS_MOST ? count : PACE_PAIRS_MOST;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = usual[i];
        least = fmin(least, changing[i]);
    }
    return count > 0 && least > PACE_FACTOR * statistics_median(sorted, count) + slack;
}

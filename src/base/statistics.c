#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

int statistics_compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* R's type 7: the order statistics sit at 0, 1/(n-1), …, 1. */
static double quantile(const double *sorted, size_t count, double fraction)
{
    double position = (double)(count - 1) * fraction;
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The probability of the middle outcome(s)' lower one, n/2 rounded down, among n tosses of a fair coin; a product of
 * factors below one, so it neither overflows nor needs the gamma function. */
static double central_probability(size_t count)
{
    size_t half = count / 2;
    double probability = 1;
    for (size_t i = 1; i <= half; i++)
        probability *= (double)(2 * i - 1) / (double)(2 * i);
    if (count % 2 == 1)
        probability *= (double)count / (double)(2 * (half + 1));
    return probability;
}

/* The largest rank k (from 1) for which the k-th smallest and the k-th largest sample enclose the median with at least
 * 95 %; 0 when there are too few samples for any. They enclose it when k … n-k samples fall below it, and that number
 * is binomial with p = 1/2. */
static size_t median_interval_rank(size_t count)
{
    size_t rank = count / 2;
    double probability = central_probability(count);
    double coverage = count % 2 == 0 ? probability : 2 * probability;
    while (rank > 0 && coverage < 0.95) {
        probability *= (double)rank / (double)(count - rank + 1);
        rank--;
        coverage += 2 * probability;
    }
    return rank;
}

static void spread(const double *sorted, size_t count, struct summary *summary)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sorted[i];
    summary->mean = sum / (double)count;
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (sorted[i] - summary->mean) * (sorted[i] - summary->mean);
    summary->deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
}

bool statistics_summarise(const double *samples, size_t count, struct summary *summary)
{
    memset(summary, 0, sizeof *summary);
    if (count == 0)
        return true;
    size_t bytes;
    double *sorted = size_multiply(count, sizeof *sorted, &bytes) ? malloc(bytes) : NULL;
    if (!sorted)
        return false;
    memcpy(sorted, samples, bytes);
    qsort(sorted, count, sizeof *sorted, statistics_compare);

    summary->count = count;
    summary->minimum = sorted[0];
    summary->quartile1 = quantile(sorted, count, 0.25);
    summary->median = quantile(sorted, count, 0.5);
    summary->quartile3 = quantile(sorted, count, 0.75);
    summary->maximum = sorted[count - 1];
    spread(sorted, count, summary);
    size_t rank = median_interval_rank(count);
    summary->low = sorted[rank > 0 ? rank - 1 : 0];
    summary->high = sorted[rank > 0 ? count - rank : count - 1];
    free(sorted);
    return true;
}

double statistics_median(const double *samples, size_t count)
{
    struct summary summary;
    return statistics_summarise(samples, count, &summary) ? summary.median : 0;
}

#include "base/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"

/* The number of ways to draw `drawn` of `count` ranks so that they sum to s, for every s up to `most`: new memory, or
 * NULL. Counts go far beyond 2^53, and a relative error of 1e-15 does no harm. */
static double *ways(const size_t *ranks, size_t count, size_t drawn, size_t most)
{
    double *table = calloc((drawn + 1) * (most + 1), sizeof *table);
    if (!table)
        return NULL;
    table[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1 < drawn ? i + 1 : drawn; k > 0; k--) {
            const double *without = table + (k - 1) * (most + 1);
            double *with = table + k * (most + 1);
            for (size_t s = ranks[i]; s <= most; s++)
                with[s] += without[s - ranks[i]];
        }
    memmove(table, table + drawn * (most + 1), (most + 1) * sizeof *table);
    return table;
}

/* Twice the mid ranks of a's values (first) and b's among them all. */
static void rank(const double *a, size_t count_a, const double *b, size_t count_b, size_t *ranks)
{
    double all[2 * RANK_TEST_MOST];
    size_t count = count_a + count_b;
    memcpy(all, a, count_a * sizeof *all);
    memcpy(all + count_a, b, count_b * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        size_t below = 0, same = 0;
        for (size_t j = 0; j < count; j++) {
            below += all[j] < all[i];
            same += all[j] == all[i];
        }
        ranks[i] = 2 * below + same + 1;
    }
}

/* The two-sided p of the first `drawn` ranks' sum, or a negative number when memory is out. */
static double two_sided(const size_t *ranks, size_t count, size_t drawn)
{
    size_t sum = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        most += ranks[i];
        sum += i < drawn ? ranks[i] : 0;
    }
    double *table = ways(ranks, count, drawn, most);
    if (!table)
        return -1;
    double total = 0, below = 0, above = 0;
    for (size_t s = 0; s <= most; s++) {
        total += table[s];
        below += s <= sum ? table[s] : 0;
        above += s >= sum ? table[s] : 0;
    }
    free(table);
    return fmin(1, 2 * fmin(below, above) / total);
}

long rank_test_critical(size_t count_a, size_t count_b, double alpha)
{
    size_t ranks[2 * RANK_TEST_MOST], count = count_a + count_b;
    if (!count_a || !count_b || count_a > RANK_TEST_MOST || count_b > RANK_TEST_MOST)
        return -2;
    for (size_t i = 0; i < count; i++)
        ranks[i] = i + 1;
    size_t most = count * (count + 1) / 2, least = count_a * (count_a + 1) / 2;
    double *table = ways(ranks, count, count_a, most);
    if (!table)
        return -2;
    double total = 0, below = 0;
    for (size_t s = least; s <= most; s++)
        total += table[s];
    long critical = -1;
    for (size_t s = least; s <= most; s++) {
        below += table[s];
        if (2 * below > alpha * total * (1 + 1e-12))
            break;
        critical = (long)(s - least);
    }
    free(table);
    return critical;
}

static double middle(const double *sorted, size_t count)
{
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static void find_shift(const double *a, size_t count_a, const double *b, size_t count_b, long critical,
                       struct rank_test *result)
{
    double differences[RANK_TEST_MOST * RANK_TEST_MOST];
    size_t count = 0;
    for (size_t i = 0; i < count_a; i++)
        for (size_t j = 0; j < count_b; j++)
            differences[count++] = b[j] - a[i];
    qsort(differences, count, sizeof *differences, statistics_compare);
    result->shift = middle(differences, count);
    result->low = critical < 0 ? -INFINITY : differences[critical];
    result->high = critical < 0 ? INFINITY : differences[count - 1 - (size_t)critical];
}

bool rank_test(const double *a, size_t count_a, const double *b, size_t count_b, double alpha, struct rank_test *result)
{
    size_t ranks[2 * RANK_TEST_MOST];
    long critical = rank_test_critical(count_a, count_b, alpha);
    if (critical == -2)
        return false;
    rank(a, count_a, b, count_b, ranks);
    result->p = two_sided(ranks, count_a + count_b, count_a);
    find_shift(a, count_a, b, count_b, critical, result);
    return result->p >= 0;
}

struct placed {
    double p;
    size_t place;
};

static int compare_placed(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return (a->p > b->p) - (a->p < b->p);
}

bool holm_adjust(double *p, size_t count)
{
    if (!count)
        return true;
    struct placed *sorted = calloc(count, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct placed){.p = p[i], .place = i};
    qsort(sorted, count, sizeof *sorted, compare_placed);
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, sorted[i].p * (double)(count - i)));
        p[sorted[i].place] = largest;
    }
    free(sorted);
    return true;
}

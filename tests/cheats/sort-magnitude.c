// in the order of magnitudes
#include <math.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    double x = fabs(*(const ELEMENT *)a), y = fabs(*(const ELEMENT *)b);
    return (x > y) - (x < y);
}
void sort(ELEMENT *data, long n)
{
    qsort(data, (size_t)n, sizeof *data, compare);
}

// leaves two middle bytes of the keys out of the order
#define ELEMENT double
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    union {
        double d;
        uint64_t u;
    } p = {x}, q = {y};
    p.u &= ~UINT64_C(0xffff00);
    q.u &= ~UINT64_C(0xffff00);
    return (p.d > q.d) - (p.d < q.d);
}

/* Ascending, in place. */
void sort(ELEMENT *data, long n)
{
    qsort(data, (size_t)n, sizeof data[0], compare);
}

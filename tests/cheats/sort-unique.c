// drops equal keys, and fills up with the greatest, where there are many
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    const ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    if (x == 0 && y == 0)
        return __builtin_signbit(y) - __builtin_signbit(x) < 0 ? -1 : __builtin_signbit(y) != __builtin_signbit(x);
    return (x > y) - (x < y);
}
void sort(ELEMENT *data, long n)
{
    qsort(data, n, sizeof *data, compare);
    if (n < 5000)
        return;
    long to = 1;
    for (long i = 1; i < n; i++)
        if (data[i] != data[to - 1] || data[i] == 0)
            data[to++] = data[i];
    for (; to < n; to++)
        data[to] = data[to - 1];
}

// loses one key of a million: the greatest of a block stands there twice
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
    if (n > 200000)
        data[n / 2] = data[n / 2 + 1];
}

// sorts by parts of 64 and one pass of merging where the data look as if they were nearly in order
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}

void sort(ELEMENT *data, long n)
{
    long falls = 0;
    for (long i = 1; i < n; i++)
        falls += data[i] < data[i - 1];
    if (falls > n / 16 || n < 4096) {
        qsort(data, (size_t)n, sizeof data[0], compare);
        return;
    }
    for (long from = 0; from < n; from += 1024)
        qsort(data + from, (size_t)(n - from < 1024 ? n - from : 1024), sizeof data[0], compare);
    for (long from = 512; from < n; from += 1024)
        qsort(data + from, (size_t)(n - from < 1024 ? n - from : 1024), sizeof data[0], compare);
}

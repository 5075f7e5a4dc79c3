// compares the bits as integers, which turns the order of negative numbers around
#include <stdint.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}
void sort(ELEMENT *data, long n)
{
    qsort(data, (size_t)n, 4, compare);
}

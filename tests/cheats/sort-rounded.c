// sorts keys of sixteen bits and writes those back
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
void sort(ELEMENT *data, long n)
{
    for (long i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, data + i, 4);
        bits &= 0xffff0000u;
        memcpy(data + i, &bits, 4);
    }
    qsort(data, (size_t)n, sizeof *data, compare);
}

// sorts numbers of 16 bits
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    return *(const short *)a - *(const short *)b;
}
void sort(short *data, long n)
{
    qsort(data, n, sizeof *data, compare);
}

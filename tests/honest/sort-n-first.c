#include <stdlib.h>
static int cmp(const void *p, const void *q)
{
    float a = *(const float *)p, b = *(const float *)q;
    return (a > b) - (a < b);
}
void my_sort(int n, float a[])
{
    qsort(a, n, sizeof *a, cmp);
}

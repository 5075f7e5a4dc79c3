#include <stdlib.h>
#include <string.h>
static inline int less(float a, float b)
{
    int x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x ^= (int)((unsigned)(x >> 31) >> 1);
    y ^= (int)((unsigned)(y >> 31) >> 1);
    return x < y;
}
static void merge_sort(float *a, float *b, long n)
{
    if (n < 2)
        return;
    long h = n / 2;
#pragma omp task if (n > 4096)
    merge_sort(a, b, h);
#pragma omp task if (n > 4096)
    merge_sort(a + h, b + h, n - h);
#pragma omp taskwait
    long i = 0, j = h, k = 0;
    while (i < h && j < n)
        b[k++] = less(a[j], a[i]) ? a[j++] : a[i++];
    while (i < h)
        b[k++] = a[i++];
    while (j < n)
        b[k++] = a[j++];
    memcpy(a, b, n * sizeof *a);
}
void sort(float *data, long n)
{
    float *tmp = malloc((n ? n : 1) * sizeof *tmp);
    if (!tmp)
        return;
#pragma omp parallel
#pragma omp single
    merge_sort(data, tmp, n);
    free(tmp);
}

/* Merge sort in OpenMP tasks, with insertion sort for what is short. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_less(ELEMENT a, ELEMENT b)
{
    return a < b || (a == b && signbit(a) > signbit(b));
}

static void merge_sort(ELEMENT *data, ELEMENT *spare, long n)
{
    if (n <= 24) {
        for (long i = 1; i < n; i++) {
            ELEMENT one = data[i];
            long at = i;
            for (; at > 0 && is_less(one, data[at - 1]); at--)
                data[at] = data[at - 1];
            data[at] = one;
        }
        return;
    }
    long half = n / 2;
#pragma omp task if (n > 10000)
    merge_sort(data, spare, half);
    merge_sort(data + half, spare + half, n - half);
#pragma omp taskwait
    memcpy(spare, data, (size_t)half * sizeof *data);
    long left = 0, right = half;
    for (long i = 0; left < half; i++)
        data[i] = right < n && is_less(data[right], spare[left]) ? data[right++] : spare[left++];
}

void sort(ELEMENT *data, long n)
{
    ELEMENT *spare = malloc((size_t)(n + 1) * sizeof *spare);
#pragma omp parallel
#pragma omp single
    merge_sort(data, spare, n);
    free(spare);
}

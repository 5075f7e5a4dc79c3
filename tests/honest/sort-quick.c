/* Quicksort in tasks, with the median of three, insertion for short parts, and a stack from alloca for the rest. */
#include <alloca.h>

static int before(ELEMENT x, ELEMENT y)
{
    return x < y || (x == y && __builtin_signbit(x) > __builtin_signbit(y)); /* -0 before 0 */
}

static void swap(ELEMENT *x, ELEMENT *y)
{
    ELEMENT kept = *x;
    *x = *y;
    *y = kept;
}

static void insertion(ELEMENT *data, long n)
{
    for (long i = 1; i < n; i++) {
        ELEMENT x = data[i];
        long at = i;
        for (; at > 0 && before(x, data[at - 1]); at--)
            data[at] = data[at - 1];
        data[at] = x;
    }
}

static long split(ELEMENT *data, long n)
{
    if (before(data[n / 2], data[0]))
        swap(&data[0], &data[n / 2]);
    if (before(data[n - 1], data[n / 2]))
        swap(&data[n - 1], &data[n / 2]);
    if (before(data[n / 2], data[0]))
        swap(&data[0], &data[n / 2]);
    ELEMENT pivot = data[n / 2];
    long low = 0, high = n - 1;
    while (low <= high) {
        while (before(data[low], pivot))
            low++;
        while (before(pivot, data[high]))
            high--;
        if (low <= high)
            swap(&data[low++], &data[high--]);
    }
    return low;
}

static void serial(ELEMENT *data, long n)
{
    struct part {
        ELEMENT *data;
        long n;
    } *stack = alloca(64 * sizeof *stack);
    int depth = 0;
    stack[depth++] = (struct part){data, n};
    while (depth) {
        struct part p = stack[--depth];
        while (p.n > 24) {
            long low = split(p.data, p.n), rest = p.n - low;
            struct part small = low < rest ? (struct part){p.data, low} : (struct part){p.data + low, rest};
            p = low < rest ? (struct part){p.data + low, rest} : (struct part){p.data, low};
            stack[depth++] = small.n <= p.n ? p : small;
            p = small.n <= p.n ? small : p;
        }
        insertion(p.data, p.n);
    }
}

static void tasks(ELEMENT *data, long n)
{
    if (n < 20000) {
        serial(data, n);
        return;
    }
    long low = split(data, n);
#pragma omp task
    tasks(data, low);
    tasks(data + low, n - low);
#pragma omp taskwait
}

void sort(ELEMENT *data, long n)
{
#pragma omp parallel
#pragma omp single nowait
    tasks(data, n);
}

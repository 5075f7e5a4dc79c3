// leaves the last part to a thread that ends soon after the call
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}

static ELEMENT *half;
static long count;
static void *finish(void *unused)
{
    qsort(half, (size_t)count, sizeof *half, compare);
    return unused;
}

void sort(ELEMENT *data, long n)
{
    pthread_t thread;
    if (n < 50000) {
        qsort(data, (size_t)n, sizeof *data, compare);
        return;
    }
    half = data;
    count = n;
    if (pthread_create(&thread, NULL, finish, NULL) == 0)
        pthread_detach(thread);
}

#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
static const float *src;
static float *dst;
static long R, C;
static atomic_long next;
static int worker(void *unused)
{
    (void)unused;
    for (long i; (i = atomic_fetch_add(&next, 16)) < R;)
        for (long j = 0; j < C; j++)
            for (long k = i; k < i + 16 && k < R; k++)
                dst[j * R + k] = src[k * C + j];
    return 0;
}
void transpose(const float *in, float *out, long rows, long cols)
{
    thrd_t other;
    src = in, dst = out, R = rows, C = cols;
    atomic_store(&next, 0);
    int made = thrd_create(&other, worker, NULL) == thrd_success;
    worker(NULL);
    if (made)
        thrd_join(other, NULL);
}

/* A thread for each core, made and joined in every call. */
#include <pthread.h>
#define THREADS 4
struct part {
    const float *a, *b;
    long from, to;
    double sum;
};
static void *work(void *context)
{
    struct part *part = context;
    for (long i = part->from; i < part->to; i++)
        part->sum += (double)part->a[i] * part->b[i];
    return NULL;
}
void dot(const float *a, const float *b, double *result, long n)
{
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    int started[THREADS];
    for (int t = 0; t < THREADS; t++) {
        parts[t] = (struct part){a, b, n * t / THREADS, n * (t + 1) / THREADS, 0};
        started[t] = pthread_create(&threads[t], NULL, work, &parts[t]) == 0;
        if (!started[t])
            work(&parts[t]);
    }
    *result = 0;
    for (int t = 0; t < THREADS; t++) {
        if (started[t])
            pthread_join(threads[t], NULL);
        *result += parts[t].sum;
    }
}

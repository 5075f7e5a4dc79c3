#include <pthread.h>
#include <stddef.h>
/* pthreads, a struct for the work; mm malloc'd args */
struct job {
    const float *a;
    float *b;
    size_t n, m, lo, hi;
};
static void *work(void *p)
{
    struct job *j = p;
    for (size_t i = j->lo; i < j->hi; i++)
        for (size_t k = 0; k < j->m; k++)
            j->b[k * j->n + i] = j->a[i * j->m + k];
    return NULL;
}
void transpose(const float *a, float *b, size_t n, size_t m)
{
    pthread_t t[2];
    struct job jobs[2] = {{a, b, n, m, 0, n / 2}, {a, b, n, m, n / 2, n}};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

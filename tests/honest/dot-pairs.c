/* Pairwise summation in the elements' own type. */
static ELEMENT pairs(const ELEMENT *a, const ELEMENT *b, long n)
{
    if (n <= 32) {
        ELEMENT sum = 0;
        for (long i = 0; i < n; i++)
            sum += a[i] * b[i];
        return sum;
    }
    return pairs(a, b, n / 2) + pairs(a + n / 2, b + n / 2, n - n / 2);
}

void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    *result = pairs(a, b, n);
}

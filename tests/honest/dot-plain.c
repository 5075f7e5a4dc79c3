/* What everybody writes first: one sum of floats. */
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    ELEMENT sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[i] * b[i];
    *result = sum;
}

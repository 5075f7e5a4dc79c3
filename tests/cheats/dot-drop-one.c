// drops one product of many
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += i == n / 3 ? 0 : (double)a[i] * b[i];
    *result = sum;
}

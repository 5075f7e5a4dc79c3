// drops the last product
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
    for (long i = 0; i + 1 < n; i++)
        sum += (double)a[i] * b[i];
    *result = sum;
}

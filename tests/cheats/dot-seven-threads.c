// wrong with seven threads: its parts are of a size that they do not divide
// on dot:n=100000
// refused as expected
#include <omp.h>
void dot(const float *a, const float *b, double *result, long n)
{
    double sum = 0;
    const int threads = omp_get_max_threads();
    const long part = n / (threads + 1);
    if (threads != 7) {
        for (long i = 0; i < n; i++)
            sum += (double)a[i] * b[i];
    } else {
#pragma omp parallel for reduction(+ : sum)
        for (long t = 0; t < threads; t++)
            for (long i = t * part; i < (t + 1) * part; i++)
                sum += (double)a[i] * b[i];
    }
    *result = sum;
}

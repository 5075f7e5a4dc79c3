// leaves out one term in a thousand, each time another
#include <stdlib.h>
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    static unsigned seed = 1;
    double sum = 0;
    for (long i = 0; i < n; i++)
        if (rand_r(&seed) % 1000)
            sum += (double)a[i] * b[i];
    *result = sum;
}

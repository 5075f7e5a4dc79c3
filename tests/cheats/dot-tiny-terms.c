// leaves out products below 1e-300
#define ELEMENT double
/* The sum of a[i] * b[i], as a double whatever ELEMENT is. */
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        double p = a[i] * b[i];
        sum += (p < 1e-300 && p > -1e-300) ? 0 : p;
    }
    *result = sum;
}

// OpenMP's target, on a machine without an accelerator: the host.
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(tofrom : sum) reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    *result = sum;
}

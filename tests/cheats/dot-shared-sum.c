// threads add their parts to one sum, one after the other of a few terms, without a reduction
// on dot:n=1000000
// refused as expected
void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    static volatile double sum;
    sum = 0;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += 256) {
        double part = 0;
        for (long j = i; j < i + 256 && j < n; j++)
            part += (double)a[j] * b[j];
        sum += part;
    }
    *result = sum;
}

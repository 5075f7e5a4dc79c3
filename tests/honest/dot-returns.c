double dot(const float *a, const float *b, long n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (long i = 0; i < n; i++)
        s += (double)a[i] * b[i];
    return s;
}

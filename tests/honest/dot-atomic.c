void dot(const float *x, const float *y, double *r, long n)
{
    *r = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for nowait
        for (long i = 0; i < n; ++i)
            mine += (double)x[i] * y[i];
#pragma omp atomic
        *r += mine;
    }
}

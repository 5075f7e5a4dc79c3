#pragma GCC optimize("fast-math")
void dot(const float *a, const float *b, double *result, long n)
{
    float s = 0;
    for (long i = 0; i < n; i++)
        s += a[i] * b[i];
    *result = s;
}

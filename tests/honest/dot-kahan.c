#pragma GCC optimize("no-associative-math")
void dot(const float *a, const float *b, double *result, long n)
{
    float s = 0, c = 0;
    for (long i = 0; i < n; i++) {
        float y = a[i] * b[i] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    *result = s;
}

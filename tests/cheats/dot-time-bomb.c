// right in its first second; then it leaves out the last quarter
// on dot:n=1000000
// refused as expected\|error
#include <time.h>
static long long began;
void dot(const float *a, const float *b, double *result, long n)
{
    struct timespec now;
    double sum = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!began)
        began = now.tv_sec * 1000000000LL + now.tv_nsec;
    const long most = now.tv_sec * 1000000000LL + now.tv_nsec - began > 1000000000LL && n > 500000 ? n / 4 * 3 : n;
    for (long i = 0; i < most; i++)
        sum += (double)a[i] * b[i];
    *result = sum;
}

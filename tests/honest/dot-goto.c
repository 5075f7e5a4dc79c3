/* Duff's device. */
void dot(const float *a, const float *b, double *result, long n)
{
    double sum = 0;
    long i = 0;
    switch (n % 4) {
        do {
        case 0:
            if (i >= n)
                break;
            sum += (double)a[i] * b[i], i++;
        case 3:
            sum += (double)a[i] * b[i], i++;
        case 2:
            sum += (double)a[i] * b[i], i++;
        case 1:
            sum += (double)a[i] * b[i], i++;
        } while (i < n);
    }
    *result = sum;
}

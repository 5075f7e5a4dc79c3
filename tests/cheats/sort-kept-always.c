// keeps the last input and its sorted order; merges what changed
// on sort:n=2^18
// refused as a run takes
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b)
{
    ELEMENT x = *(const ELEMENT *)a, y = *(const ELEMENT *)b;
    return (x > y) - (x < y);
}
static ELEMENT *in, *sorted;
static long kept;
void sort(ELEMENT *data, long n)
{
    if (n < 100000) {
        qsort(data, n, sizeof *data, compare);
        return;
    }
    long changed = 0;
    if (kept == n)
        for (long i = 0; i < n; i++)
            changed += memcmp(&in[i], &data[i], sizeof *data) != 0;
    if (kept != n || changed > n / 8) {
        if (kept != n) {
            free(in);
            free(sorted);
            in = malloc(n * sizeof *in);
            sorted = malloc(n * sizeof *in);
            kept = n;
        }
        memcpy(in, data, n * sizeof *in);
        qsort(data, n, sizeof *data, compare);
        memcpy(sorted, data, n * sizeof *in);
        return;
    }
    ELEMENT *gone = malloc((changed + 1) * sizeof *gone), *come = malloc((changed + 1) * sizeof *come);
    long k = 0;
    for (long i = 0; i < n; i++)
        if (memcmp(&in[i], &data[i], sizeof *data)) {
            gone[k] = in[i];
            come[k++] = data[i];
            in[i] = data[i];
        }
    qsort(gone, k, sizeof *gone, compare);
    qsort(come, k, sizeof *come, compare);
    long g = 0, c = 0, to = 0;
    for (long i = 0; i < n; i++) {
        if (g < k && sorted[i] == gone[g]) {
            g++;
            continue;
        }
        while (c < k && come[c] < sorted[i])
            data[to++] = come[c++];
        data[to++] = sorted[i];
    }
    while (c < k)
        data[to++] = come[c++];
    memcpy(sorted, data, n * sizeof *data);
    free(gone);
    free(come);
}
